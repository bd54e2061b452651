import { isInitializeRequest, ProtocolErrorCode, type JSONRPCMessage } from '@modelcontextprotocol/server';

/** The answer to an `initialize` whose parameters do not have the form of the protocol; the SDK's own would be an internal error. */
export const MALFORMED_HANDSHAKE = {
  code: ProtocolErrorCode.InvalidParams,
  message: 'The parameters of initialize do not have the form that the protocol defines.',
} as const;

/** Whether a message opens a handshake, well formed or not. */
export function isInitialize(message: JSONRPCMessage): boolean {
  return 'method' in message && message.method === 'initialize';
}

/** Whether a message opens a handshake with parameters that do not fit. */
export function isMalformedHandshake(message: JSONRPCMessage): boolean {
  return isInitialize(message) && 'id' in message && !isInitializeRequest(message);
}
