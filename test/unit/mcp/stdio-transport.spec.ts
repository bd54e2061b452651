import { PassThrough } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { EncodedAnswers } from '../../../src/mcp/encoded-answers.js';
import { StdioTransport } from '../../../src/mcp/transports/stdio/stdio-transport.js';
import { settled } from '../../support/fake-clock.js';

interface Wired {
  readonly input: PassThrough;
  readonly output: PassThrough;
  readonly answers: EncodedAnswers;
  readonly transport: StdioTransport;
  readonly received: JSONRPCMessage[];
  readonly errors: Error[];
  readonly written: () => string;
}

async function wire(
  options: { maxLineBytes?: number; highWaterMark?: number; onGreeted?: () => void } = {},
): Promise<Wired> {
  const input = new PassThrough();
  const output = new PassThrough({ highWaterMark: options.highWaterMark ?? 1_048_576 });
  const answers = new EncodedAnswers();
  const { maxLineBytes, onGreeted } = options;
  const transport = new StdioTransport({
    input,
    output,
    answers,
    ...(maxLineBytes === undefined ? {} : { maxLineBytes }),
    ...(onGreeted === undefined ? {} : { onGreeted }),
  });
  const received: JSONRPCMessage[] = [];
  const errors: Error[] = [];
  transport.onmessage = (message) => void received.push(message);
  transport.onerror = (error) => void errors.push(error);
  await transport.start();
  return { input, output, answers, transport, received, errors, written: () => String(output.read() ?? '') };
}

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

describe('StdioTransport', () => {
  test.each([
    ['whole', [`${PING}\n`]],
    ['byte by byte', [...`${PING}\n`]],
    ['with CRLF and blank lines', [`\n\r\n${PING}\r\n\n`]],
    ['with the start of the next message', [`${PING}\n{"jsonrpc"`]],
  ])('reads a message that arrives %s', async (_how, pieces) => {
    const { input, received } = await wire();
    for (const piece of pieces) input.write(piece);
    await settled();
    expect(received).toEqual([JSON.parse(PING)]);
  });

  test('keeps characters whole that a chunk boundary cuts', async () => {
    const { input, received } = await wire();
    const line = Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"é😀"}}\n`);
    for (const byte of line) input.write(Buffer.from([byte]));
    await settled();
    expect(received).toMatchObject([{ params: { x: 'é😀' } }]);
  });

  test.each([
    ['{oops', null, -32700],
    ['[]', null, -32600],
    ['{"id":5,"method":7}', 5, -32600],
    ['null', null, -32600],
    ['{"jsonrpc":"2.0","id":6,"method":"initialize","params":{"protocolVersion":5}}', 6, -32602],
  ])('answers the line %s with its error and goes on', async (line, id, code) => {
    const { input, received, written } = await wire();
    input.write(`${line}\n${PING}\n`);
    await settled();
    expect(JSON.parse(written())).toMatchObject({ jsonrpc: '2.0', id, error: { code } });
    expect(received).toHaveLength(1);
  });

  test('splices a prepared result into its answer, under the members that the SDK adds', async () => {
    const { answers, transport, written } = await wire();
    answers.put('a', Buffer.from('"content":[],"structuredContent":{"kind":"x"}'));
    await transport.send({ jsonrpc: '2.0', id: 'a', result: { content: [], isError: false, resultType: 'complete' } });
    expect(JSON.parse(written())).toEqual({
      jsonrpc: '2.0',
      id: 'a',
      result: { content: [], structuredContent: { kind: 'x' }, isError: false, resultType: 'complete' },
    });
    expect(answers.take('a')).toBeUndefined();
  });

  test('drops a prepared result whose request ended in an error', async () => {
    const { answers, transport, written } = await wire();
    answers.put(3, Buffer.from('"content":[]'));
    await transport.send({ jsonrpc: '2.0', id: 3, error: { code: -32603, message: 'x' } });
    expect(JSON.parse(written())).toMatchObject({ error: { code: -32603 } });
    expect(answers.take(3)).toBeUndefined();
  });

  test('waits for a full stream with one listener, however many messages wait', async () => {
    const { transport, output } = await wire({ highWaterMark: 16 });
    const sends = Array.from({ length: 50 }, (_, id) => transport.send({ jsonrpc: '2.0', id, result: {} }));
    expect(output.listenerCount('drain')).toBe(1);
    output.resume();
    await Promise.all(sends);
    expect(output.listenerCount('drain')).toBe(0);
  });

  test('closes when the input ends, and when a line is longer than it takes', async () => {
    const first = await wire();
    let closed = 0;
    first.transport.onclose = () => {
      closed++;
    };
    first.input.end();
    await settled();
    expect(closed).toBe(1);

    const second = await wire({ maxLineBytes: 100 });
    second.transport.onclose = () => {
      closed++;
    };
    second.input.write('x'.repeat(60));
    second.input.write('x'.repeat(60));
    await settled();
    expect(closed).toBe(2);
    expect(second.errors).toHaveLength(1);
  });

  test('says once that the client was greeted', async () => {
    let greeted = 0;
    const { transport } = await wire({
      onGreeted: () => {
        greeted++;
      },
    });
    await transport.send({ jsonrpc: '2.0', id: 1, result: {} });
    await transport.send({ jsonrpc: '2.0', id: 2, result: {} });
    await settled();
    expect(greeted).toBe(1);
  });
});
