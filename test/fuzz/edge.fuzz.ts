import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { parseArguments as parseCommandLine } from '../../src/bin/arguments.js';
import { parseTraceContext } from '../../src/common/trace-context.js';
import { formatProblem, loadConfig, printConfig } from '../../src/config/index.js';
import { knownVariables } from '../../src/config/sections.js';
import { EncodedAnswers } from '../../src/mcp/encoded-answers.js';
import { admitsHost, admitsOrigin, hostPolicy } from '../../src/mcp/transports/http/host-policy.js';
import { checkMirroredHeaders } from '../../src/mcp/transports/http/request-checks.js';
import { StdioTransport } from '../../src/mcp/transports/stdio/stdio-transport.js';
import { bytesOf, bytesOfText, chunksOf, cuts, hostileText, textOf } from './hostile.js';
import { fuzzTarget } from './target.js';

/** Nothing that ends a line, moves the cursor or turns the reading order round. */
const SAFE_LINE = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]*$/u;

const setting = textOf(
  '1',
  '0',
  'true',
  'off',
  '1e2',
  '-1',
  ' ',
  ',',
  '[',
  ']',
  '"',
  'a.example',
  '.b',
  '::1',
  '10.0.0.0/8',
  'text/*',
  'NaN',
);
const environment = fc.dictionary(
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...knownVariables()) },
    { weight: 1, arbitrary: textOf('GOPHER_', 'GEMINI_', 'MCP_', 'X') },
  ),
  setting,
  { maxKeys: 8 },
);

export const environmentTarget = fuzzTarget(
  'environment',
  fc.record({
    variables: environment,
    file: fc.oneof(
      fc.constant(null),
      bytesOfText(textOf('GOPHER_MAX_RESPONSE_SIZE=', '1', '\n', '#', '"', 'export ', '=')),
    ),
  }),
  ({ variables, file }) => {
    const loaded = loadConfig(variables, {
      envFile: file === null ? null : bytesOf(file),
      toolNames: ['gopher_fetch'],
    });
    if (!loaded.ok) {
      assert.ok(loaded.error.length > 0);
      for (const problem of loaded.error) assert.match(formatProblem(problem), SAFE_LINE);
      return;
    }
    assert.ok(Object.isFrozen(loaded.value));
    printConfig(loaded.value);
    for (const { event, fields } of loaded.value.notices)
      assert.match(`${event} ${JSON.stringify(fields)}`, /^[^\n\r]*$/);
  },
);

export const argumentsTarget = fuzzTarget(
  'arguments',
  fc.array(
    textOf(
      '--',
      '-',
      '--transport',
      'stdio',
      '--host',
      '--port',
      '8000',
      '--allowed-host',
      '=',
      '--help',
      '-h',
      '--version',
      '--check',
      'x',
    ),
    {
      maxLength: 6,
    },
  ),
  (argv) => {
    const read = parseCommandLine(argv);
    if (read.kind === 'refused') for (const line of read.text.trimEnd().split('\n')) assert.match(line, SAFE_LINE);
  },
);

const message = textOf(
  ...[
    '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    '{"jsonrpc":"2.0","method":"x"}',
    '{"jsonrpc":"2.0","id":null}',
    '[]',
    '{}',
    '"',
    '\n',
    '\r\n',
  ],
  ...['{"jsonrpc":"2.0","id":"__proto__","result":{}}', '{"id":{}}', '[[[[', '}', '\u2028', '0', ' '],
);

export const stdioLines = fuzzTarget(
  'stdio-lines',
  fc.record({ input: bytesOfText(message), cuts }),
  ({ input, cuts: at }) => {
    const bytes = bytesOf(input);
    const whole = linesTaken(chunksOf(bytes, []));
    assert.deepEqual(linesTaken(chunksOf(bytes, at)), whole, 'chunks make a difference');
    const { written, messages, closed } = whole;
    if (closed) return;
    const lines = bytes.toString('latin1').split('\n').slice(0, -1);
    const full = lines.filter((line) => Buffer.from(line, 'latin1').toString().trim() !== '');
    assert.equal(messages + written.length, full.length, 'a line is neither a message nor refused');
    for (const answer of written) {
      const { jsonrpc, error } = JSON.parse(answer) as { jsonrpc: unknown; error: { code: unknown } };
      assert.equal(jsonrpc, '2.0');
      assert.ok(error.code === -32700 || error.code === -32600);
    }
  },
  // The SDK's schema takes its time to say what is wrong with each of thousands of lines.
  0.05,
);

function linesTaken(chunks: readonly Buffer[]): { written: string[]; messages: number; closed: boolean } {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let written = '';
  output.setEncoding('utf8').on('data', (text: string) => (written += text));
  const transport = new StdioTransport({ input, output, answers: new EncodedAnswers(), maxLineBytes: 20_000 });
  let messages = 0;
  const state = { closed: false };
  transport.onmessage = () => {
    messages++;
  };
  transport.onclose = () => {
    state.closed = true;
  };
  void transport.start();
  // Straight to the listener: a stream would wait for the next tick.
  for (const chunk of chunks) if (!state.closed) input.emit('data', chunk);
  for (let rest: unknown = output.read(); rest !== null; rest = output.read()) written += String(rest);
  return { written: written.split('\n').filter((line) => line !== ''), messages, closed: state.closed };
}

const header = fc.oneof(
  fc.constant(undefined),
  textOf(
    'tools/call',
    'gopher_fetch',
    '=?base64?',
    '?=',
    'Z29waGVyX2ZldGNo',
    'localhost',
    ':8000',
    'http://',
    '127.0.0.1',
  ),
);
const request = fc.record({
  host: header,
  origin: header,
  mcpMethod: header,
  mcpName: header,
  traceparent: fc.oneof(header, textOf('00-', 'a'.repeat(32), 'b'.repeat(16), '-', '01', 'ff')),
  method: fc.constantFrom('tools/call', 'resources/read', 'prompts/get', 'ping'),
  params: fc.oneof(
    fc.constant(undefined),
    fc.record({ name: hostileText }),
    fc.record({ uri: hostileText }),
    fc.constant({ name: 1 }),
  ),
});

export const httpRequest = fuzzTarget(
  'http-request',
  request,
  ({ host, origin, mcpMethod, mcpName, traceparent, method, params }) => {
    const policy = hostPolicy('127.0.0.1', []);
    if (admitsHost(policy, host)) assert.match(host ?? '', /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i);
    if (admitsOrigin(policy, origin) && origin !== undefined)
      assert.match(origin, /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i);
    const headers = {
      ...(mcpMethod !== undefined && { 'mcp-method': mcpMethod }),
      ...(mcpName !== undefined && { 'mcp-name': mcpName }),
    };
    const refusal = checkMirroredHeaders(headers, { method, params });
    if (refusal) assert.equal(refusal.status, 400);
    else assert.equal(mcpMethod, method);
    const trace = parseTraceContext(traceparent, traceparent);
    if (trace) assert.match(`${trace.traceId}-${trace.parentId}`, /^(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}$/);
  },
);
