import type { Readable, Writable } from 'node:stream';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { CallerMemory, linkOf } from '../../caller.js';
import { EncodedAnswers } from '../../encoded-answers.js';
import type { ServerFactory } from '../../server-factory.js';
import { StdioTransport } from './stdio-transport.js';

/** One client that is served over a pair of streams. */
export interface StdioConnection {
  /** Resolves when the client has gone, or the connection was closed. */
  readonly ended: Promise<void>;
  /** Ends the connection; requests under way are aborted. */
  close(): Promise<void>;
}

/**
 * Serves MCP of every revision to one client; the first message decides which.
 *
 * @param onGreeted called once, after the first answer was written
 * @param onError is told of trouble that no answer carries
 */
export function connectStdio(
  factory: ServerFactory,
  {
    input,
    output,
    onGreeted,
    onError,
  }: {
    readonly input: Readable;
    readonly output: Writable;
    readonly onGreeted: () => void;
    readonly onError: (error: Error) => void;
  },
): StdioConnection {
  const answers = new EncodedAnswers();
  const memory = new CallerMemory();
  const transport = new StdioTransport({ input, output, answers, onGreeted });
  const connection = serveStdio(({ era }) => factory.create(linkOf(memory, answers, era === 'modern')), {
    transport,
    onerror: onError,
  });
  const ended = new Promise<void>((resolve) => {
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });
  return { ended, close: () => connection.close() };
}
