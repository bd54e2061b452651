/** Fields of a tool's payload, read without believing anything about it. */
import { isJsonObject, type JsonObject, type JsonValue } from '../common/json.js';

/** A text field; an empty text when it is none. */
export function textField(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === 'string' ? value : '';
}

/** A number field; null when it is none. */
export function numberField(object: JsonObject, name: string): number | null {
  const value = object[name];
  return typeof value === 'number' ? value : null;
}

/** An object field; an empty object when it is none. */
export function objectField(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isJsonObject(value) ? value : {};
}

/** The objects in a list field. */
export function objectsField(object: JsonObject, name: string): JsonObject[] {
  const value: JsonValue | undefined = object[name];
  return Array.isArray(value) ? value.filter((item: JsonValue) => isJsonObject(item)) : [];
}
