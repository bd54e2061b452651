/**
 * What the built server advertises, against what was recorded from gopher-mcp 0.10.2, and rules of our own for every
 * tool. Clients choose and call tools by this alone.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { Ajv2020 } from 'ajv/dist/2020.js';

import { OutputSchema } from '../support/answer-checks.js';
import { readFixture } from '../support/fixture-files.js';
import { isArray, isObject, lookup, textOf, type Json, type JsonObject } from '../support/json.js';
import { McpStdioClient } from '../support/mcp-stdio-client.js';
import { toolDifferences } from '../support/schema-comparison.js';
import {
  makeScratchFolder,
  removeScratchFolder,
  serverCommand,
  serverEnvironment,
} from '../support/server-under-test.js';

/** Some clients cut longer instructions off. */
const MAX_INSTRUCTION_CHARS = 2048;
const START_TIMEOUT_MS = 60_000;

const recorded = readFixture('contract/tools-schema.json');
const recordedTools = list(recorded, 'tools');
const names = recordedTools.map((tool) => textOf(tool['name']));

let folder = '';
let client: McpStdioClient;
let handshake: JsonObject;
let tools: readonly JsonObject[];

beforeAll(async () => {
  folder = await makeScratchFolder();
  client = new McpStdioClient({ command: serverCommand(), folder, environment: serverEnvironment(folder) });
  handshake = await client.initialize();
  tools = await client.listAll('tools/list', 'tools');
}, START_TIMEOUT_MS);

afterAll(async () => {
  await client.close();
  await removeScratchFolder(folder);
}, START_TIMEOUT_MS);

describe('handshake', () => {
  test('names the server', () => {
    expect(lookup(handshake, 'serverInfo.name')).toBe('gopher-mcp');
    expect(lookup(handshake, 'serverInfo.version')).toEqual(expect.stringMatching(/^\d+\.\d+\.\d+/));
  });

  test('speaks the protocol revision that the client offered', () => {
    expect(handshake['protocolVersion']).toBe('2025-11-25');
  });

  test.each(['tools', 'resources', 'prompts'])('offers %s with the recorded flags', (capability) => {
    const flags = lookup(recorded, `initialize.capabilities.${capability}`);
    const given = lookup(handshake, `capabilities.${capability}`);
    expect(given).toBeDefined();
    for (const [flag, value] of Object.entries(isObject(flags) ? flags : {})) {
      expect([flag, lookup(given, flag) ?? false]).toEqual([flag, value]);
    }
  });

  test('gives instructions that no client cuts off', () => {
    const instructions = textOf(handshake['instructions']);
    expect(instructions).not.toBe('');
    expect(instructions.length).toBeLessThanOrEqual(MAX_INSTRUCTION_CHARS);
  });
});

describe('tools', () => {
  test('the recorded tools come first and in the recorded order', () => {
    expect(tools.map((tool) => tool['name']).slice(0, names.length)).toEqual(names);
  });

  test.each(names)('%s serves a caller of the recorded one', (name) => {
    const expected = recordedTools.find((tool) => tool['name'] === name) ?? {};
    expect(toolDifferences(expected, toolNamed(name)).join('\n')).toBe('');
  });

  test('every tool has annotations, a title, a description and both schemas', () => {
    for (const tool of tools) {
      expect(tool).toMatchObject({
        title: expect.stringMatching(/./),
        description: expect.stringMatching(/./),
        annotations: { readOnlyHint: expect.any(Boolean), openWorldHint: expect.any(Boolean) },
        inputSchema: { type: 'object' },
        outputSchema: { type: 'object' },
      });
    }
  });

  test('no input schema has a combinator at the top: some clients refuse such tools', () => {
    for (const { name, inputSchema } of tools) {
      const keywords = Object.keys(isObject(inputSchema) ? inputSchema : {});
      expect([name, keywords.filter((word) => ['oneOf', 'anyOf', 'allOf'].includes(word))]).toEqual([name, []]);
    }
  });

  test('every argument is described', () => {
    for (const { name, inputSchema } of tools) {
      for (const [argument, schema] of Object.entries(members(inputSchema, 'properties'))) {
        expect([name, argument, typeof lookup(schema, 'description')]).toEqual([name, argument, 'string']);
      }
    }
  });

  test('every schema compiles', () => {
    const ajv = new Ajv2020({ strict: false });
    for (const { inputSchema, outputSchema } of tools) {
      expect(() => ajv.compile(asObject(inputSchema))).not.toThrow();
      expect(() => new OutputSchema(asObject(outputSchema))).not.toThrow();
    }
  });
});

describe('resources and prompts', () => {
  test.each([
    ['resources/list', 'resources', 'uri'],
    ['prompts/list', 'prompts', 'name'],
  ])('%s gives what was recorded', async (method, member, key) => {
    const given = await client.listAll(method, member);
    const expected = list(recorded, member);
    expect(given.map((item) => item[key])).toEqual(expected.map((item) => item[key]));
    expect(given).toMatchObject(expected.map(withoutArguments));
    for (const [index, item] of expected.entries()) {
      expect(argumentsOf(given[index] ?? {})).toEqual(argumentsOf(item));
    }
  });

  test('resource templates have a name and a URI template', async () => {
    for (const template of await client.listAll('resources/templates/list', 'resourceTemplates')) {
      expect(template).toMatchObject({ name: expect.any(String), uriTemplate: expect.stringMatching(/\{.+\}/) });
    }
  });

  test('the policy is readable text without a path of this machine', async () => {
    const { result } = await client.request('resources/read', { uri: 'gopher-mcp://policy' });
    const text = lookup(result, 'contents.0.text');
    expect(text).toEqual(expect.stringContaining('[Gopher]'));
    expect(text).toEqual(expect.stringContaining('[Gemini]'));
    expect(text).not.toEqual(expect.stringContaining(folder));
  });
});

describe('bad arguments are structured errors that name the argument', () => {
  const url = 'gopher://127.0.0.1:7070/';
  test.each<[tool: string, args: JsonObject, argument: string]>([
    ['gopher_fetch', {}, 'url'],
    ['gopher_fetch', { url: 5 }, 'url'],
    ['gopher_fetch', { url, offset: -1 }, 'offset'],
    ['gopher_fetch', { url, offset: 1.5 }, 'offset'],
    ['gopher_fetch', { url, offset: null }, 'offset'],
    ['gopher_fetch', { url, refresh: 'perhaps' }, 'refresh'],
    ['gopher_fetch', { url, refesh: true }, 'refesh'],
    ['gemini_fetch', {}, 'url'],
    ['gemini_fetch', { url: 'gemini://127.0.0.1/', input: ['a'] }, 'input'],
    ['gopher_batch_fetch', {}, 'urls'],
    ['gopher_batch_fetch', { urls: url }, 'urls'],
    ['gemini_batch_fetch', {}, 'urls'],
    ['gemini_batch_fetch', { urls: [1] }, 'urls'],
    ['gemini_trust_list', { host: 5 }, 'host'],
    ['gemini_trust_update', { action: 'forget', host: 'a.example', fingerprint: 'aa' }, 'action'],
    ['gemini_trust_update', { action: 'remove', host: 'a.example' }, 'fingerprint'],
    ['gemini_trust_update', { action: 'remove', fingerprint: 'aa' }, 'host'],
    ['gemini_trust_update', { host: 'a.example', fingerprint: 'a'.repeat(64) }, 'action'],
    ['gemini_client_cert_update', { action: 'create' }, 'url'],
    ['gemini_client_cert_update', { url: 'gemini://a.example/' }, 'action'],
    ['gemini_client_cert_update', { action: 'make', url: 'gemini://a.example/' }, 'action'],
  ])('%s %j', async (tool, args, argument) => {
    const { result } = await client.callTool(tool, args);
    expect(result).toMatchObject({ isError: true });
    const structured = result?.['structuredContent'] ?? null;
    const payload = lookup(structured, 'result.0') ?? structured;
    expect(payload).toMatchObject({ kind: 'error', error: { code: 'INVALID_REQUEST', message: expect.any(String) } });
    expect(lookup(payload, 'error.message')).toEqual(expect.stringContaining(argument));
    expect(new OutputSchema(asObject(toolNamed(tool)['outputSchema'])).flaws(structured)).toEqual([]);
  });
});

describe('protocol errors', () => {
  test.each([
    ['an unknown method', 'tools/frobnicate', {}, -32601],
    ['an unknown resource', 'resources/read', { uri: 'gopher-mcp://nothing' }, -32002],
    ['an unknown prompt', 'prompts/get', { name: 'nothing' }, -32602],
    ['a missing prompt argument', 'prompts/get', { name: 'explore_capsule' }, -32602],
  ])('%s has its JSON-RPC code', async (_, method, params, code) => {
    const { error } = await client.request(method, params);
    // The 2026 revision gives -32602 for an unknown resource as well.
    expect(code === -32002 ? [-32002, -32602] : [code]).toContain(error?.['code']);
  });
});

function toolNamed(name: string): JsonObject {
  const tool = tools.find((one) => one['name'] === name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  return tool;
}

function list(value: Json, member: string): readonly JsonObject[] {
  const entries = lookup(value, member);
  return isArray(entries) ? entries.filter(isObject) : [];
}

function members(value: Json | undefined, member: string): JsonObject {
  return asObject(lookup(value, member));
}

function asObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function withoutArguments(item: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(item).filter(([name]) => name !== 'arguments'));
}

function argumentsOf(item: JsonObject): readonly Json[] {
  const given = item['arguments'];
  return isArray(given) ? given.map((one) => [lookup(one, 'name') ?? null, lookup(one, 'required') ?? false]) : [];
}
