/** What holds for every answer of every tool, whatever a test asks for. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

import { isArray, isObject, shown, stringsIn, type Json, type JsonObject } from './json.js';

/** C0 and C1 control characters but TAB, LF and CR. */
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/u;
const LONE_SURROGATES = /\p{Surrogate}/u;
/** Bidi embeddings, overrides and isolates, and tag characters: what a model reads and a person does not see. */
const HIDDEN = /[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;

/** Holds a tool result against the promises of all results; gives one line for each that is broken. */
export function brokenPromises(result: JsonObject, outputSchema: OutputSchema | undefined): readonly string[] {
  const structured = result['structuredContent'];
  const broken = [...contentFlaws(result), ...textFlaws(structured), ...errorFlagFlaws(structured, result['isError'])];
  if (structured !== undefined && outputSchema !== undefined) broken.push(...outputSchema.flaws(structured));
  return broken;
}

function contentFlaws({ content, structuredContent }: JsonObject): readonly string[] {
  if (!isArray(content)) return [`content is no list: ${shown(content)}`];
  const bad = content.find(
    (block) => !isObject(block) || block['type'] !== 'text' || typeof block['text'] !== 'string',
  );
  if (bad !== undefined) return [`content has a block that is no text: ${shown(bad)}`];
  if (structuredContent === undefined || structuredContent === null) return [];
  return textMatchesStructure(content, structuredContent) ? [] : ['the text blocks are not the structured content'];
}

/** Whether the text blocks hold the same JSON as structuredContent; for a batch, one block per item. */
export function textMatchesStructure(content: readonly Json[], structured: Json): boolean {
  const items = isObject(structured) ? structured['result'] : undefined;
  const wanted = isArray(items) ? items : [structured];
  if (content.length !== wanted.length) return false;
  return content.every((block, index) => {
    try {
      const text = isObject(block) ? block['text'] : undefined;
      return typeof text === 'string' && isSameJson(JSON.parse(text), wanted[index]);
    } catch {
      return false;
    }
  });
}

/** Same members in any order: objects are written once and compared as sorted text. */
function isSameJson(one: unknown, other: unknown): boolean {
  return sortedText(one) === sortedText(other);
}

function sortedText(value: unknown): string {
  return JSON.stringify(value, (_, below: unknown) =>
    isObject(below) ? Object.fromEntries(Object.entries(below).sort(([a], [b]) => (a < b ? -1 : 1))) : below,
  );
}

function textFlaws(structured: Json | undefined): readonly string[] {
  for (const text of stringsIn(structured)) {
    const match = CONTROLS.exec(text) ?? LONE_SURROGATES.exec(text) ?? HIDDEN.exec(text);
    if (match !== null) {
      const point = match[0].codePointAt(0) ?? 0;
      const around = JSON.stringify(text.slice(Math.max(0, match.index - 20), match.index + 20));
      return [`a string holds U+${point.toString(16).toUpperCase().padStart(4, '0')}, near ${around}`];
    }
  }
  return [];
}

/** isError says whether the kind is `error`; a batch as a whole is no error. */
function errorFlagFlaws(structured: Json | undefined, flag: Json | undefined): readonly string[] {
  const isError = flag ?? false;
  const kind = isObject(structured) ? structured['kind'] : undefined;
  if (kind === undefined || isError === (kind === 'error')) return [];
  return [`isError is ${shown(isError)}, but the kind is ${shown(kind)}`];
}

/** The output schema that a tool advertises. */
export class OutputSchema {
  readonly #validate: ValidateFunction;

  constructor(schema: JsonObject) {
    // Not strict: `discriminator` with a mapping is OpenAPI's and only informs.
    this.#validate = new Ajv2020({ strict: false, allErrors: false }).compile(schema);
  }

  /** Why a payload does not fit; empty when it does. */
  flaws(payload: Json): readonly string[] {
    if (this.#validate(payload)) return [];
    const errors = (this.#validate.errors ?? []).slice(0, 4);
    return errors.map(
      ({ instancePath, message, params }) =>
        `does not fit the output schema: ${instancePath || 'it'} ${message ?? ''} ${JSON.stringify(params)}`,
    );
  }
}

const compiled = new Map<string, OutputSchema>();

/** The output schemas of tools as tools/list gives them, by tool name. Equal schemas are compiled once. */
export function outputSchemas(tools: readonly JsonObject[]): ReadonlyMap<string, OutputSchema> {
  const schemas = new Map<string, OutputSchema>();
  for (const { name, outputSchema } of tools) {
    if (typeof name !== 'string' || !isObject(outputSchema)) continue;
    const text = JSON.stringify(outputSchema);
    const schema = compiled.get(text) ?? new OutputSchema(outputSchema);
    compiled.set(text, schema);
    schemas.set(name, schema);
  }
  return schemas;
}
