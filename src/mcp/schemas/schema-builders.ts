/**
 * Small pieces from which the static JSON Schemas of the tools are put together. The output schemas follow what every
 * client validates: `type: object` at the root, one variant a kind, references inside the same document.
 */
import type { JsonObject } from '../../common/json.js';

/** A text. */
export const text: JsonObject = { type: 'string' };
/** A text or null, null when left out. */
export const nullableText = nullable({ type: 'string' });
/** A whole number. */
export const integer: JsonObject = { type: 'integer' };
/** A whole number of at least 0. */
export const count: JsonObject = { type: 'integer', minimum: 0 };
/** A whole number or null, null when left out. */
export const nullableInteger = nullable({ type: 'integer' });
/** A flag that is false when left out. */
export const flag: JsonObject = { type: 'boolean', default: false };
/** A flag without a default. */
export const boolean: JsonObject = { type: 'boolean' };

/** That or null, null when left out. Not a list of types: some clients drop or refuse those. */
export function nullable(schema: JsonObject): JsonObject {
  return { anyOf: [schema, { type: 'null' }], default: null };
}

/** A reference to a definition of the same document. */
export function ref(definition: string): JsonObject {
  return { $ref: `#/$defs/${definition}` };
}

/** An object with these properties. */
export function object(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) };
}

/** A result of one kind; `request_info` closes every result. */
export function result(kind: string, properties: JsonObject, required: readonly string[]): JsonObject {
  return object(
    { kind: { type: 'string', const: kind, default: kind }, ...properties, request_info: ref('RequestInfo') },
    required,
  );
}

/** Kinds by name, in the order in which they are listed. */
export type Kinds = Readonly<Record<string, { readonly definition: string; readonly schema: JsonObject }>>;

/** The output schema of a tool that gives one result of one of these kinds. */
export function oneResult(kinds: Kinds, definitions: JsonObject = {}): JsonObject {
  return { type: 'object', ...variants(kinds), $defs: allDefinitions(kinds, definitions) };
}

/** The output schema of a tool that gives a list of such results. */
export function listOfResults(kinds: Kinds, definitions: JsonObject = {}): JsonObject {
  return {
    ...object({ result: { type: 'array', items: variants(kinds) } }, ['result']),
    $defs: allDefinitions(kinds, definitions),
  };
}

/** The input schema of a tool. No combinator at the top level: some clients refuse those. */
export function input(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return { ...object(properties, required), additionalProperties: false };
}

function variants(kinds: Kinds): JsonObject {
  const entries = Object.entries(kinds);
  return {
    oneOf: entries.map(([, { definition }]) => ref(definition)),
    discriminator: {
      propertyName: 'kind',
      mapping: Object.fromEntries(entries.map(([kind, { definition }]) => [kind, `#/$defs/${definition}`])),
    },
  };
}

function allDefinitions(kinds: Kinds, definitions: JsonObject): JsonObject {
  const results = Object.values(kinds).map(({ definition, schema }): [string, JsonObject] => [definition, schema]);
  return { ...Object.fromEntries(results), ...definitions, RequestInfo: requestInfo };
}

const requestInfo: JsonObject = {
  ...object({
    url: nullableText,
    timestamp: nullableText,
    host: nullableText,
    port: nullableInteger,
    type: nullableText,
    selector: nullableText,
    search_ignored: nullable({ type: 'boolean' }),
    path: nullableText,
    has_query: nullable({ type: 'boolean' }),
    tls_version: nullableText,
    cipher: nullableText,
    cert_fingerprint: nullableText,
    tofu_warning: nullableText,
    client_cert_warning: nullableText,
  }),
  additionalProperties: false,
};

/** The cache trio: whether and of what age a replay is. */
export const cacheFields: JsonObject = {
  cached: flag,
  cached_at: nullableText,
  cache_age_seconds: nullable({ type: 'number' }),
};

/** Where a window ends. */
export const windowFields: JsonObject = { truncated: flag, total_chars: nullableInteger, next_offset: nullableInteger };

/** Marks of a server's own words. */
export const originFields: JsonObject = { untrusted: boolean, source_host: text };

/** Marks of a body that ended early. */
export const incompleteFields: JsonObject = {
  incomplete: flag,
  incomplete_reason: nullable({ type: 'string', enum: ['size_cap', 'timeout', 'no_close_notify'] }),
};

/** The kind every tool may answer with. */
export const errorKind = {
  definition: 'ErrorResult',
  schema: result('error', { error: { type: 'object', additionalProperties: true }, ...originFields }, ['error']),
} as const;
