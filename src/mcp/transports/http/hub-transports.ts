/** The two transports through which a hub is connected to a server of the SDK: one for each era of the protocol. */
import {
  PerRequestHTTPServerTransport,
  type JSONRPCMessage,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/server';
import { STATELESS_REVISION } from '../../server-factory.js';
import { RequestHub } from './request-hub.js';

/** For the revisions up to 2025-11-25, which open with `initialize`. */
export class HandshakeTransport implements Transport {
  readonly hub: RequestHub;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];

  /** @param hasStatuses whether each answer is an HTTP response, or all go over one stream */
  constructor(hasStatuses: boolean) {
    this.hub = new RequestHub(false, hasStatuses);
  }

  start(): Promise<void> {
    this.hub.deliver = (message, extra) => this.onmessage?.(message, extra);
    return Promise.resolve();
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    this.hub.send(message, options);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }
}

/**
 * For 2026-07-28, where every request stands alone. The SDK binds a server to that era when its transport is an instance
 * of this class's parent; nothing else of the parent is used.
 */
export class StatelessTransport extends PerRequestHTTPServerTransport {
  readonly hub = new RequestHub(true);

  constructor() {
    super({ classification: { era: 'modern', revision: STATELESS_REVISION } });
  }

  override start(): Promise<void> {
    this.hub.deliver = (message, extra) => this.onmessage?.(message, extra);
    return Promise.resolve();
  }

  override send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    this.hub.send(message, options);
    return Promise.resolve();
  }

  override close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }
}
