/**
 * Compares the advertised surface with a recorded one, as a caller would be hurt by the difference.
 *
 * More is fine: extra members of results, optional arguments, tools after the recorded ones. Different is not: other
 * required arguments, result kinds or enum values; a result member that may be missing or null where it never was. Free
 * text is not looked at. References are resolved, `anyOf` with null counts as a nullable type, `const` as an enum of one.
 */
import { isArray, isObject, jsonEqual, objectsOf, shown, type Json, type JsonObject } from './json.js';

/** Declared by the recorded server, but never part of a result. */
const NEVER_EMITTED = ['raw_content'];
const BOUNDS = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'pattern'];

/** One JSON Schema node with its references resolved and its nullability taken apart. */
export class Schema {
  readonly #root: JsonObject;
  readonly #node: JsonObject;
  readonly #variants: readonly JsonObject[];
  readonly nullable: boolean;
  readonly type: string | undefined;

  constructor(node: JsonObject, root: JsonObject) {
    this.#root = root;
    const own = this.#resolve(node);
    const all = objectsOf(own['anyOf'] ?? own['oneOf']).map((variant) => this.#resolve(variant));
    const others = all.filter((variant) => variant['type'] !== 'null');
    const [only] = others;
    const isNullableOne = others.length < all.length && others.length === 1 && only !== undefined;
    this.#node = isNullableOne ? { ...only, ...('default' in own ? { default: own['default'] ?? null } : {}) } : own;
    this.#variants = isNullableOne ? [] : others;
    const types = strings(this.#node['type']);
    this.nullable = others.length < all.length || types.includes('null');
    this.type = types.find((type) => type !== 'null') ?? this.#guessedType();
  }

  /** The allowed values when they are listed, as enum, const or a union of constants; sorted. */
  get values(): readonly Json[] | undefined {
    const { const: constant, enum: list } = this.#node;
    if (constant !== undefined) return [constant];
    if (isArray(list)) return sorted(list.filter((value) => value !== null));
    const constants = this.#variants.flatMap((variant) => (variant['const'] === undefined ? [] : [variant['const']]));
    return constants.length > 0 && constants.length === this.#variants.length ? sorted(constants) : undefined;
  }

  get bounds(): JsonObject {
    const bounds = Object.entries(this.#node).filter(
      // The range of safe integers, which some libraries spell out, is no restriction.
      ([name, value]) => BOUNDS.includes(name) && Math.abs(Number(value)) !== Number.MAX_SAFE_INTEGER,
    );
    return Object.fromEntries(bounds);
  }

  /** Null and none at all mean the same. */
  get default(): Json {
    return this.#node['default'] ?? null;
  }

  get required(): readonly string[] {
    return strings(this.#node['required']);
  }

  get fields(): ReadonlyMap<string, Schema> {
    const properties = isObject(this.#node['properties']) ? this.#node['properties'] : {};
    const fields = new Map<string, Schema>();
    for (const [name, node] of Object.entries(properties)) {
      if (isObject(node) && !NEVER_EMITTED.includes(name)) fields.set(name, new Schema(node, this.#root));
    }
    return fields;
  }

  get items(): Schema | undefined {
    return isObject(this.#node['items']) ? new Schema(this.#node['items'], this.#root) : undefined;
  }

  /** The variants of a union by the constant of their member `kind`. */
  get kinds(): ReadonlyMap<string, Schema> {
    const kinds = new Map<string, Schema>();
    for (const variant of this.#variants.length > 0 ? this.#variants : [this.#node]) {
      const schema = new Schema(variant, this.#root);
      for (const kind of schema.fields.get('kind')?.values ?? []) {
        if (typeof kind === 'string') kinds.set(kind, schema);
      }
    }
    return kinds;
  }

  /** Follows references; an allOf with one entry is the way in which some generators wrap one. */
  #resolve(node: JsonObject): JsonObject {
    const { $ref: reference, allOf, ...rest } = node;
    if (typeof reference === 'string') return this.#resolve({ ...this.#target(reference), ...rest });
    const [wrapped, ...others] = objectsOf(allOf);
    return wrapped === undefined || others.length > 0 ? node : this.#resolve({ ...wrapped, ...rest });
  }

  #target(reference: string): JsonObject {
    let node: Json | undefined = this.#root;
    for (const part of reference.replace(/^#\/?/, '').split('/')) {
      if (part !== '') node = isObject(node) ? node[part.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined;
    }
    if (!isObject(node)) throw new Error(`${reference} leads nowhere`);
    return node;
  }

  #guessedType(): string | undefined {
    const values = this.values;
    if (values?.every((value) => typeof value === 'string')) return 'string';
    return 'properties' in this.#node ? 'object' : undefined;
  }
}

/** What differs between a recorded tool and an advertised one; empty when a caller of the recorded one is well served. */
export function toolDifferences(expected: JsonObject, actual: JsonObject): readonly string[] {
  const report = new Report();
  report.same('title', expected['title'], actual['title']);
  report.same('has a description', true, typeof actual['description'] === 'string' && actual['description'] !== '');
  const annotations = isObject(actual['annotations']) ? actual['annotations'] : {};
  const hints = Object.fromEntries(Object.entries(annotations).filter(([name]) => name !== 'title'));
  report.same('annotations', expected['annotations'], hints);
  compareArguments(report, 'arguments', rootSchema(expected['inputSchema']), rootSchema(actual['inputSchema']));
  const [wanted, given] = [rootSchema(expected['outputSchema']), rootSchema(actual['outputSchema'])];
  report.same('result type', 'object', given.type);
  const [wantedItems, givenItems] = [wanted.fields.get('result')?.items, given.fields.get('result')?.items];
  if (wantedItems === undefined) compareKinds(report, wanted, given);
  else {
    report.same('result is a list', true, givenItems !== undefined);
    report.same('result is required', true, given.required.includes('result'));
    if (givenItems !== undefined) compareKinds(report, wantedItems, givenItems);
  }
  return report.lines;
}

function rootSchema(value: Json | undefined): Schema {
  const root = isObject(value) ? value : {};
  return new Schema(root, root);
}

class Report {
  readonly lines: string[] = [];

  same(what: string, expected: Json | undefined, actual: Json | undefined): void {
    if (!jsonEqual(expected, actual)) this.lines.push(`${what}: expected ${shown(expected)}, got ${shown(actual)}`);
  }
}

/** Arguments are a promise to callers: the same names, types, defaults, values and bounds. */
function compareArguments(report: Report, where: string, expected: Schema, actual: Schema): void {
  report.same(`${where} type`, expected.type, actual.type);
  report.same(`${where} required`, sorted(expected.required), sorted(actual.required));
  for (const [name, field] of expected.fields)
    compareValue(report, `${where}.${name}`, field, actual.fields.get(name), true);
}

function compareKinds(report: Report, expected: Schema, actual: Schema): void {
  const [wanted, given] = [expected.kinds, actual.kinds];
  report.same('kinds', sorted([...wanted.keys()]), sorted([...given.keys()]));
  for (const [kind, schema] of wanted) {
    const other = given.get(kind);
    if (other !== undefined) compareMembers(report, kind, schema, other);
  }
}

/** Result objects may have more members, never fewer or other ones. */
function compareMembers(report: Report, where: string, expected: Schema, actual: Schema): void {
  const given = actual.fields;
  const optional = expected.required.filter((name) => given.has(name) && !actual.required.includes(name));
  report.same(`${where} members no longer required`, [], optional);
  for (const [name, field] of expected.fields) compareValue(report, `${where}.${name}`, field, given.get(name), false);
}

function compareValue(
  report: Report,
  where: string,
  expected: Schema,
  actual: Schema | undefined,
  isArgument: boolean,
): void {
  if (actual === undefined) {
    report.lines.push(`${where}: missing`);
    return;
  }
  report.same(`${where} type`, expected.type, actual.type);
  if (isArgument || !expected.nullable) report.same(`${where} may be null`, expected.nullable, actual.nullable);
  if (expected.values !== undefined) report.same(`${where} values`, expected.values, actual.values);
  if (isArgument) {
    report.same(`${where} bounds`, expected.bounds, actual.bounds);
    report.same(`${where} default`, expected.default, actual.default);
  }
  if (expected.items !== undefined) compareValue(report, `${where}[]`, expected.items, actual.items, isArgument);
  if (!isArgument && expected.fields.size > 0) compareMembers(report, where, expected, actual);
}

function strings(value: Json | undefined): readonly string[] {
  const list = isArray(value) ? value : [value];
  return list.filter((entry) => typeof entry === 'string');
}

function sorted(values: readonly Json[]): readonly Json[] {
  return [...values].sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}
