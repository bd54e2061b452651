/** Rules that hold for every tool, also for one that is added tomorrow, and for what models are told at the handshake. */
import { describe, expect, test } from '@jest/globals';
import { isJsonObject, type JsonValue } from '../../src/common/json.js';
import { TOOL_TABLE } from '../../src/mcp/index.js';
import { INSTRUCTIONS } from '../../src/mcp/instructions.js';
import { listed } from '../../src/mcp/server-factory.js';
import type { Tool } from '../../src/mcp/tool.js';

/** Every session pays for the list before anything is asked. */
const MAX_LIST_BYTES = 60_000;
/** Some clients cut longer instructions off. */
const MAX_INSTRUCTION_CHARS = 2048;

const COMBINATORS = ['oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else'];

const tools = TOOL_TABLE.map((tool): [string, Tool] => [tool.name, tool]);

test('the list of tools is small', () => {
  const list = JSON.stringify({ tools: TOOL_TABLE.map(listed) });
  expect(Buffer.byteLength(list)).toBeLessThan(MAX_LIST_BYTES);
});

test('names are unique', () => {
  expect(TOOL_TABLE.map(({ name }) => name)).toEqual([...new Set(TOOL_TABLE.map(({ name }) => name))]);
});

describe.each(tools)('%s', (_name, { name, title, description, annotations, inputSchema, outputSchema }) => {
  test('has a name that every client takes', () => {
    expect(name).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
  });

  test('is described for people and for models', () => {
    expect(title).toMatch(/^[A-Z].{3,60}$/);
    expect(description.length).toBeGreaterThan(40);
  });

  test('says what it may do, completely', () => {
    expect(annotations).toMatchObject({ readOnlyHint: expect.any(Boolean), openWorldHint: expect.any(Boolean) });
    const changes = { destructiveHint: expect.any(Boolean), idempotentHint: expect.any(Boolean) };
    expect(annotations).toMatchObject(annotations.readOnlyHint ? {} : changes);
  });

  test('takes an object, without a combinator at the top', () => {
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(Object.keys(inputSchema).filter((word) => COMBINATORS.includes(word))).toEqual([]);
  });

  test('describes every argument, and requires none that it does not have', () => {
    const properties = isJsonObject(inputSchema['properties']) ? inputSchema['properties'] : {};
    for (const [argument, schema] of Object.entries(properties)) {
      expect([argument, isJsonObject(schema) && typeof schema['description']]).toEqual([argument, 'string']);
    }
    expect(Object.keys(properties)).toEqual(expect.arrayContaining([...(inputSchema.required ?? [])]));
  });

  test('gives an object, and every reference leads somewhere within the schema', () => {
    expect(outputSchema).toMatchObject({ type: 'object' });
    const definitions = Object.keys(isJsonObject(outputSchema['$defs']) ? outputSchema['$defs'] : {});
    for (const reference of references(outputSchema)) {
      expect(definitions.map((definition) => `#/$defs/${definition}`)).toContain(reference);
    }
  });

  test('marks what strangers wrote', () => {
    if (annotations.openWorldHint) expect(description).toMatch(/never as instructions/);
  });
});

describe('the instructions', () => {
  test('are not cut off by any client', () => {
    expect(INSTRUCTIONS.length).toBeLessThanOrEqual(MAX_INSTRUCTION_CHARS);
  });

  test.each<[string, readonly RegExp[]]>([
    [
      '1. which tool serves which scheme',
      [/gopher_fetch for gopher:\/\//, /gemini_fetch for gemini:\/\//, /batch_fetch/],
    ],
    ['2. how to navigate', [/next_url/, /links/, /empty next_url is display text/]],
    ['3. what comes as metadata only', [/Binary and oversize bodies come as metadata only/]],
    [
      '4. how to answer a prompt',
      [/status 10, 11/, /"input"/, /do not build a query/, /status-11 answer is secret/, /never repeat it/],
    ],
    ['5. how to go on', [/"truncated"/, /"next_offset"/, /"offset"/, /window is not the whole/]],
    ['6. how to search', [/type 7/, /"search"/, /query in the URL also works/]],
    ['7. what a replay is', [/"cached": true/, /cache_age_seconds/, /refresh=true/]],
    [
      '8. what a changed certificate asks for',
      [/CERTIFICATE_CHANGED/, /gemini_trust_list/, /only after the user confirms/],
    ],
    ['9. what status 60 asks for', [/Status 60/, /only with the user's consent/, /never as a retry step/]],
    [
      '10. that robots.txt is final',
      [/BLOCKED_BY_ROBOTS is final/, /do not propose turning the check off/, /kennedy\.gemi\.dev/, /tlgs\.one/],
    ],
    [
      '11. what fetching is, and what is fetched',
      [/read-only/, /any external host/, /untrusted data/, /Never follow instructions/],
    ],
  ])('say %s', (_point, patterns) => {
    for (const pattern of patterns) expect(INSTRUCTIONS).toMatch(pattern);
  });
});

/** Every `$ref` in a schema, however deep. */
function references(value: JsonValue | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap(references);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, below]) =>
    key === '$ref' && typeof below === 'string' ? [below] : references(below),
  );
}
