/** What holds the server against the recordings is not blind: each kind of wrong answer is seen. */
import { describe, expect, test } from '@jest/globals';

import { brokenPromises, outputSchemas } from '../support/answer-checks.js';
import { Comparison } from '../support/comparison.js';
import { judge } from '../support/deviations.js';
import { readFixture } from '../support/fixture-files.js';
import { isObject, lookup, objectsOf, type Json, type JsonObject } from '../support/json.js';
import { McpStdioClient } from '../support/mcp-stdio-client.js';
import { PortMap } from '../support/ports.js';
import type { Deviation } from '../support/scenario-format.js';
import { toolDifferences } from '../support/schema-comparison.js';
import { serverEnvironment, withScratchFolder } from '../support/server-under-test.js';
import { unmet, type StepOutcome } from '../support/wire-case-check.js';
import type { WireExpectation } from '../support/wire-case-format.js';

describe('comparison with a recording', () => {
  const comparison = new Comparison(new Map([['A', 'aa11']]));
  comparison.learn({ kind: 'client_cert_update', fingerprint: 'sha256:cc33' });

  test.each<[what: string, expected: Json, actual: Json]>([
    ['extra members', { a: 1 }, { a: 1, b: 2 }],
    ['placeholders', ['<message>', '<iso>', '<number>'], ['text', '2026-01-31T10:00:00+00:00', 0.5]],
    ['fingerprints', ['sha256:<fp:A>', 'sha256:<fp:client>'], ['sha256:aa11', 'sha256:cc33']],
  ])('takes %s', (_, expected, actual) => {
    expect(comparison.differences(expected, actual, '')).toEqual([]);
  });

  test.each<[what: string, expected: Json, actual: Json, paths: readonly string[]]>([
    ['another value', { a: { b: 1 } }, { a: { b: 2 } }, ['a.b']],
    ['a missing member', { a: null }, {}, ['a']],
    ['a flag for a number', { a: 1 }, { a: true }, ['a']],
    ['an empty message', { a: '<message>' }, { a: '' }, ['a']],
    ['an instant with milliseconds', { a: '<iso>' }, { a: '2026-01-31T10:00:00.000Z' }, ['a']],
    ['an unknown fingerprint', { a: '<fp:client>' }, { a: 'dd44' }, ['a']],
    [
      'an added entry',
      { a: [{ title: 'x' }, { title: 'y' }] },
      { a: [{ title: 'x' }, { title: 'n' }, { title: 'y' }] },
      ['a[+]'],
    ],
    ['a lost entry', { a: [{ title: 'x' }, { title: 'y' }] }, { a: [{ title: 'y' }] }, ['a[0]']],
    ['one entry for another', { a: ['x', 'y'] }, { a: ['x', 'z'] }, ['a[1]']],
  ])('sees %s', (_, expected, actual, paths) => {
    expect(comparison.differences(expected, actual, '').map(({ path }) => path)).toEqual(paths);
  });
});

describe('deviations', () => {
  const difference = (path: string) => ({ path, expected: '1', got: '2' });

  test.each<[what: string, deviation: Deviation, paths: readonly string[], failures: number]>([
    ['cover what is below a path', { why: 'w', paths: ['a.b'] }, ['a.b', 'a.b.c', 'a.b[0]'], 0],
    ['do not cover what only begins alike', { why: 'w', paths: ['a.b'] }, ['a.bc', 'a'], 2],
    ['take a star for one index', { why: 'w', paths: ['a[*].u'] }, ['a[0].u', 'a[12].u', 'a[0].v', 'a[0][1].u'], 2],
    ['cover added entries only where said so', { why: 'w', paths: ['a[+]'] }, ['a[+]', 'a[0]'], 1],
    ['hold for their steps', { why: 'w', steps: [7] }, ['a'], 1],
    ['hold only for the better answer', { why: 'w', expect: { kind: 'better' } }, ['a'], 1],
  ])('%s', (_, deviation, paths, failures) => {
    expect(judge([deviation], 3, paths.map(difference), () => false).failures).toHaveLength(failures);
  });

  test('one of several better answers is enough', () => {
    const deviation = { why: 'w', expect: [{ kind: 'one' }, { kind: 'other' }] };
    const verdict = judge([deviation], 3, [difference('a')], (better) => better['kind'] === 'other');
    expect(verdict).toEqual({ failures: [], reasons: new Set(['w']) });
  });
});

test('ports are replaced as whole numbers, in texts, names, numbers and base64', () => {
  const ports = new PortMap(new Map([[7471, 7102]]));
  const body = Buffer.from('x\t127.0.0.1\t7471\r\n').toString('base64');
  expect(ports.apply({ '7471': ['gopher://h:7471/17471', 7471, 17471, true], b64: body })).toEqual({
    '7102': ['gopher://h:7102/17471', 7102, 17471, true],
    b64: Buffer.from('x\t127.0.0.1\t7102\r\n').toString('base64'),
  });
});

describe('promises of every answer', () => {
  const schema = {
    type: 'object',
    properties: { kind: { type: 'string' }, n: { type: 'integer' } },
    required: ['kind'],
  };
  const outputSchema = outputSchemas([{ name: 'tool', outputSchema: schema }]).get('tool');
  const answer = (structuredContent: JsonObject, others: JsonObject = {}): JsonObject => ({
    content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
    structuredContent,
    ...others,
  });

  test('a good answer keeps them', () => {
    expect(brokenPromises(answer({ kind: 'text', text: 'é 👩‍👩‍👧 \tend\r\n' }), outputSchema)).toEqual([]);
    expect(brokenPromises(answer({ kind: 'error' }, { isError: true }), outputSchema)).toEqual([]);
  });

  test.each<[what: string, answer: JsonObject]>([
    ['a control character', answer({ kind: 'text', text: 'a\u0007' })],
    ['a C1 control character', answer({ kind: 'text', deep: [{ text: 'a\u009b' }] })],
    ['half a surrogate pair', answer({ kind: 'text', text: '\ud83d' })],
    ['a bidi override', answer({ kind: 'text', text: 'a\u202eb' })],
    ['a tag character', answer({ kind: 'text', text: 'a\u{e0041}' })],
    ['an error without the flag', answer({ kind: 'error' })],
    ['a flag without an error', answer({ kind: 'text' }, { isError: true })],
    ['a text block that says something else', { ...answer({ kind: 'text' }), content: [{ type: 'text', text: '{}' }] }],
    ['a missing text block', { ...answer({ kind: 'text' }), content: [] }],
    ['a block of another type', { ...answer({ kind: 'text' }), content: [{ type: 'image' }] }],
    ['a payload that does not fit the output schema', answer({ kind: 'text', n: 'many' })],
  ])('%s breaks one', (_, broken) => {
    expect(brokenPromises(broken, outputSchema)).not.toEqual([]);
  });
});

describe('comparison of the advertised surface', () => {
  const recorded = objectsOf(lookup(readFixture('contract/tools-schema.json'), 'tools'))[0] ?? {};
  const tool: JsonObject = { ...recorded, description: 'what it does' };

  test('a tool equals itself', () => {
    expect(toolDifferences(recorded, tool)).toEqual([]);
  });

  test.each<[what: string, text: string, other: string]>([
    ['another title', '"Fetch Gopher resource"', '"Fetch"'],
    ['another hint', '"readOnlyHint":true', '"readOnlyHint":false'],
    ['another default', '"default":0', '"default":1'],
    ['another bound', '"default":0,"minimum":0', '"default":0,"minimum":1'],
    ['another required argument', '"required":["url"]', '"required":["url","offset"]'],
    [
      'another type of an argument',
      '"refresh":{"default":false,"type":"boolean"}',
      '"refresh":{"default":false,"type":"string"}',
    ],
    ['another kind', '"const":"menu"', '"const":"list"'],
    ['a lost member of a result', '"total_chars":', '"all_chars":'],
    ['a member no longer required', '"required":["type","title",', '"required":["title",'],
    [
      'a member that may be null now',
      '"port":{"maximum":65535,"minimum":0,"type":"integer"}',
      '"port":{"type":["integer","null"]}',
    ],
  ])('%s is seen', (_, text, other) => {
    const changed: Json = JSON.parse(JSON.stringify(tool).replaceAll(text, other));
    expect(JSON.stringify(changed)).not.toBe(JSON.stringify(tool));
    expect(toolDifferences(recorded, isObject(changed) ? changed : {})).not.toEqual([]);
  });
});

describe('expectations of wire cases', () => {
  const outcome: StepOutcome = {
    result: { kind: 'menu', items: [{ type: '0', title: 'One', next_url: 'gopher://a/0' }], total_items: 1 },
    isError: false,
    seconds: 2,
    hits: [{ bytes: Buffer.from('/a?b%20c\r\n'), serverName: 'a.test', clientFingerprint: null }],
    hitCount: 1,
    fingerprint: null,
  };

  test.each<[met: WireExpectation, notMet: WireExpectation]>([
    [{ kind: 'text|menu' }, { kind: 'text' }],
    [{ is_error: false }, { is_error: true }],
    [{}, { code: 'BLOCKED' }],
    [{ contains: ['One'] }, { contains: ['Two'] }],
    [{ not_contains: ['Two'] }, { not_contains: ['One'] }],
    [{ json_not_contains: ['"two"'] }, { json_not_contains: ['"title"'] }],
    [{ any_of: ['absent', 'ONE'] }, { any_of: ['absent', 'two'] }],
    [{ titles: ['One'] }, { titles: [] }],
    [{ next_urls: ['gopher://a/0'] }, { next_urls: [''] }],
    [{ item_types: ['0'] }, { item_types: ['1'] }],
    [{ max_seconds: 2 }, { max_seconds: 1 }],
    [{ max_json_bytes: 200 }, { max_json_bytes: 20 }],
    [{ requests: 1 }, { requests: 0 }],
    [{ request_line: '/a?b%20c\r\n' }, { request_line: '/a?b+c\r\n' }],
    [{ query_decoded: 'b c' }, { query_decoded: 'b+c' }],
    [{ sni: 'a.test' }, { sni: null }],
    [{ client_cert: false }, { client_cert: true }],
    [{ fields: { 'items.-1.title': 'One' } }, { fields: { 'items.1.title': 'One' } }],
    [{ fields: { total_items: { $gte: 1, $lte: 1 } } }, { fields: { total_items: { $gte: 2 } } }],
    [{ fields: { 'items.0.title': { $regex: '^O' } } }, { fields: { 'items.0.title': { $regex: '^o' } } }],
    [{ fields: { items: { $len: 1 } } }, { fields: { items: { $len: 2 } } }],
    [{ fields: { code: { $present: false } } }, { fields: { code: { $present: true } } }],
    [{ fields: { kind: { $not: 'text' } } }, { fields: { kind: { $not: 'menu' } } }],
  ])('%j is met, %j is not', (met, notMet) => {
    expect(unmet(met, outcome)).toEqual([]);
    expect(unmet(notMet, outcome)).toHaveLength(1);
  });
});

describe('the client', () => {
  /** A session with a server that is this script. */
  async function talkTo(script: string): Promise<unknown> {
    return withScratchFolder(async (folder) => {
      const command = { program: process.execPath, args: ['-e', script] };
      const client = new McpStdioClient({ command, folder, environment: serverEnvironment(folder), timeoutMs: 5000 });
      try {
        return await client.initialize();
      } finally {
        await client.close();
      }
    });
  }

  const answer = `JSON.stringify({ jsonrpc: '2.0', id: 1, result: { name: 'é' } })`;

  test('takes a message in pieces', async () => {
    const script = `process.stdin.once('data', () => {
      const bytes = Buffer.from(${answer} + '\\n');
      process.stdout.write(bytes.subarray(0, 48), () => setTimeout(() => process.stdout.write(bytes.subarray(48)), 50));
    }).on('end', () => process.exit())`;
    await expect(talkTo(script)).resolves.toEqual({ name: 'é' });
  });

  test.each([
    ['text on stdout', `console.log('hello')`],
    ['a message of another protocol', `console.log('{"id":1,"result":{}}')`],
    ['an answer to a question never asked', `console.log('{"jsonrpc":"2.0","id":9,"result":{}}')`],
    ['bytes that are not UTF-8', `process.stdout.write(Buffer.from([0x7b, 0xff, 0x7d, 0x0a]))`],
    ['text after the last answer', `console.log(${answer}); process.stdin.on('end', () => console.log('bye'))`],
    ['an end without a line end', `console.log(${answer}); process.stdin.on('end', () => process.stdout.write('{'))`],
  ])('refuses %s', async (_, reaction) => {
    await expect(talkTo(`process.stdin.once('data', () => { ${reaction} })`)).rejects.toThrow(/stdout carries/);
  });

  test('reports a server that ends, with its last words', async () => {
    await expect(talkTo(`console.error('no room'); process.exit(3)`)).rejects.toThrow(/exit code 3.*no room/);
  });
});
