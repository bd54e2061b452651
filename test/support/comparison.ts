/**
 * Deep comparison of recorded values, placeholders included, with real ones.
 *
 * Extra members of objects are fine: answers may say more than the recorded server did. Entries of lists are paired by
 * what a reader sees of them when the lengths differ, so that one added entry does not make all the others differ.
 */
import { isArray, isObject, shown, type Json, type JsonObject } from './json.js';

/** One difference: where, what was recorded, what came. */
export interface Difference {
  readonly path: string;
  readonly expected: string;
  readonly got: string;
}

const ISO_INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/;
const CLIENT_FINGERPRINT = '<fp:client>';

/** Compares; knows the fingerprints that placeholders stand for. */
export class Comparison {
  readonly #fingerprints: ReadonlyMap<string, string>;
  readonly #clientFingerprints: string[] = [];

  /** @param fingerprints hex fingerprints of the test certificates by name */
  constructor(fingerprints: ReadonlyMap<string, string>) {
    this.#fingerprints = fingerprints;
  }

  /** Remembers the fingerprint of an identity that the server just made or removed. */
  learn(payload: Json | undefined): void {
    if (!isObject(payload) || payload['kind'] !== 'client_cert_update') return;
    const { fingerprint } = payload;
    if (typeof fingerprint === 'string') this.#clientFingerprints.push(fingerprint.replace(/^sha256:/, ''));
  }

  /** Real fingerprints in place of placeholders, as call arguments need them. */
  fillIn(value: Json): Json {
    if (typeof value === 'string') return this.#fillInText(value);
    if (isArray(value)) return value.map((entry) => this.fillIn(entry));
    if (!isObject(value)) return value;
    return this.fillInMembers(value);
  }

  /** {@link fillIn} for each member of an object. */
  fillInMembers(value: JsonObject): JsonObject {
    return Object.fromEntries(Object.entries(value).map(([member, below]) => [member, this.fillIn(below)]));
  }

  /** All differences, in the order of the recording. */
  differences(expected: Json, actual: Json | undefined, path: string): readonly Difference[] {
    if (isObject(expected) && isObject(actual)) {
      return Object.entries(expected).flatMap(([member, value]) =>
        this.differences(value, actual[member], path === '' ? member : `${path}.${member}`),
      );
    }
    if (isArray(expected) && isArray(actual)) {
      return aligned(expected, actual).flatMap(([index, other]) =>
        index === undefined
          ? [{ path: `${path}[+]`, expected: 'nothing', got: shown(other) }]
          : this.differences(expected[index] ?? null, other, `${path}[${index}]`),
      );
    }
    return this.#isEqual(expected, actual) ? [] : [{ path, expected: shown(expected), got: shown(actual) }];
  }

  #isEqual(expected: Json, actual: Json | undefined): boolean {
    if (expected === '<number>') return typeof actual === 'number';
    if (typeof expected === 'string' && typeof actual === 'string') return this.#isEqualText(expected, actual);
    return expected === actual;
  }

  #isEqualText(expected: string, actual: string): boolean {
    if (expected === '<message>' || expected === '<cipher>') return actual !== '';
    if (expected === '<iso>') return ISO_INSTANT.test(actual);
    if (expected.endsWith(CLIENT_FINGERPRINT)) {
      const prefix = expected.slice(0, -CLIENT_FINGERPRINT.length);
      return actual.startsWith(prefix) && this.#clientFingerprints.includes(actual.slice(prefix.length));
    }
    return this.#fillInText(expected) === actual;
  }

  #fillInText(text: string): string {
    let filled = text;
    for (const [name, fingerprint] of this.#fingerprints) filled = filled.replaceAll(`<fp:${name}>`, fingerprint);
    return filled.replaceAll(CLIENT_FINGERPRINT, this.#clientFingerprints.at(-1) ?? '0'.repeat(64));
  }
}

type Pair = readonly [index: number | undefined, actual: Json | undefined];

/** Pairs the entries of two lists: index of the recorded entry (none: added) and the actual entry (none: missing). */
function aligned(expected: readonly Json[], actual: readonly Json[]): readonly Pair[] {
  if (expected.length === actual.length) return actual.map((entry, index): Pair => [index, entry]);
  const pairs: Pair[] = [];
  let [at, otherAt] = [0, 0];
  for (const [index, otherIndex] of [...commonLabels(expected, actual), [expected.length, actual.length] as const]) {
    for (; at < index || otherAt < otherIndex; at++, otherAt++) {
      pairs.push([at < index ? at : undefined, otherAt < otherIndex ? actual[otherAt] : undefined]);
    }
    if (index < expected.length) pairs.push([index, actual[otherIndex]]);
    [at, otherAt] = [index + 1, otherIndex + 1];
  }
  return pairs;
}

/** Positions of a longest common subsequence of the labels of two lists. */
function commonLabels(expected: readonly Json[], actual: readonly Json[]): readonly (readonly [number, number])[] {
  const [labels, others] = [expected.map(label), actual.map(label)];
  const width = others.length + 1;
  // lengths[i * width + j]: of the longest common subsequence of labels[i..] and others[j..].
  const lengths = new Uint32Array((labels.length + 1) * width);
  const lengthAt = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = labels.length - 1; i >= 0; i--) {
    for (let j = others.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        labels[i] === others[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
    }
  }
  const common: [number, number][] = [];
  for (let i = 0, j = 0; i < labels.length && j < others.length;) {
    if (labels[i] === others[j]) common.push([i++, j++]);
    else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) i++;
    else j++;
  }
  return common;
}

/** What tells list entries apart: the text a reader sees, else the whole entry. */
function label(entry: Json): string {
  if (isObject(entry)) {
    for (const member of ['title', 'content', 'url', 'host']) {
      const value = entry[member];
      if (typeof value === 'string') return value;
    }
  }
  return JSON.stringify(entry);
}
