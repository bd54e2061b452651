/** Reads test data and holds it against its format, so that an unknown member fails instead of being skipped. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

import type { Json, JsonObject } from './json.js';
import { REPOSITORY } from './server-under-test.js';

/** The JSON file at `path` below test/fixtures. */
export function readFixture(path: string): Json {
  return JSON.parse(readFileSync(join(REPOSITORY, 'test', 'fixtures', path), 'utf8'));
}

/** Names of the JSON files of a folder below test/fixtures, sorted. */
export function fixtureNames(folder: string): readonly string[] {
  return readdirSync(join(REPOSITORY, 'test', 'fixtures', folder))
    .filter((name) => name.endsWith('.json'))
    .sort();
}

/** Holds data against one format: gives it typed, or throws naming `where` and what is wrong. */
export type FormatCheck<T> = (data: unknown, where: string) => T;

/** The check for a JSON Schema. */
export function formatCheck<T>(schema: JsonObject): FormatCheck<T> {
  const validate: ValidateFunction<T> = new Ajv2020({ allowUnionTypes: true }).compile<T>(schema);
  return (data, where) => {
    if (validate(data)) return data;
    const [error] = validate.errors ?? [];
    throw new Error(`${where}${error?.instancePath ?? ''} ${error?.message ?? ''} ${JSON.stringify(error?.params)}`);
  };
}

/** Shorthands for writing the schemas of test data. */
export const format = {
  /** An object with these members and no others. */
  closed: (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
    type: 'object',
    properties,
    required,
    additionalProperties: false,
  }),
  listOf: (items: JsonObject): JsonObject => ({ type: 'array', items }),
  mapOf: (additionalProperties: JsonObject): JsonObject => ({ type: 'object', additionalProperties }),
  oneOf: (...values: readonly Json[]): JsonObject => ({ enum: values }),
  text: { type: 'string' },
  flag: { type: 'boolean' },
  number: { type: 'number' },
  count: { type: 'integer', minimum: 0 },
  object: { type: 'object' },
  anything: {},
} as const;
