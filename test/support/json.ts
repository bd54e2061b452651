/** JSON values as the tests see them, and the few ways to look into one. */

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [member: string]: Json;
}

/** Whether `value` is a JSON object (no array, not null). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether `value` is a JSON array. `Array.isArray` does not narrow to a readonly one. */
export function isArray(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** The text, or an empty one when the value is none. */
export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** The objects of a list; none when the value is no list. */
export function objectsOf(value: Json | undefined): readonly JsonObject[] {
  return isArray(value) ? value.filter(isObject) : [];
}

/** The value at a dotted path such as `items.0.title` (`-1` is the last entry); undefined when there is none. */
export function lookup(value: Json | undefined, path: string): Json | undefined {
  let found = value;
  for (const part of path.split('.')) {
    if (isArray(found)) found = /^-?\d+$/.test(part) ? found.at(Number(part)) : undefined;
    else found = isObject(found) && Object.hasOwn(found, part) ? found[part] : undefined;
  }
  return found;
}

/** Every string inside a value, members named in `except` left out. Keys are not included. */
export function* stringsIn(value: Json | undefined, except: readonly string[] = []): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (isArray(value)) for (const entry of value) yield* stringsIn(entry, except);
  else if (isObject(value)) {
    for (const [member, below] of Object.entries(value)) {
      if (!except.includes(member)) yield* stringsIn(below, except);
    }
  }
}

/** Deep equality of JSON values; the order of members does not matter. */
export function jsonEqual(one: Json | undefined, other: Json | undefined): boolean {
  if (isArray(one) && isArray(other)) {
    return one.length === other.length && one.every((entry, index) => jsonEqual(entry, other[index]));
  }
  if (isObject(one) && isObject(other)) {
    const members = Object.keys(one);
    return (
      members.length === Object.keys(other).length &&
      members.every((member) => Object.hasOwn(other, member) && jsonEqual(one[member], other[member]))
    );
  }
  return one === other;
}

/** A value for a report: compact JSON, cut at `limit` characters; `nothing` when it is absent. */
export function shown(value: Json | undefined, limit = 160): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length <= limit ? text : `${text.slice(0, limit)}... (${text.length} characters)`;
}
