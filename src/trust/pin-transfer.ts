/** Pins on their way between stores, in the form that `tofu.json` has. */
import type { Failure } from '../common/error-codes.js';
import type { JsonObject } from '../common/json.js';
import { ok, type Result } from '../common/result.js';
import { mergePin, type MergeOutcome } from './core/merge-pin.js';
import { endpointOf, parsePins, serialisePin, type PinRecord } from './core/pin-record.js';
import type { TrustStore } from './trust-store.port.js';

/** What became of pins: the endpoints (`host:port`) of each outcome. */
export type PinImport = Readonly<Record<MergeOutcome, readonly string[]>>;

/** Pins by endpoint (`host:port`). */
export type ImportedPins = ReadonlyMap<string, PinRecord>;

/** All pins, by endpoint, with every member they have. CERTIFICATE_STORE_UNAVAILABLE. */
export async function exportPins(store: TrustStore): Promise<Result<JsonObject, Failure>> {
  const pins = await store.readAll();
  if (!pins.ok) return pins;
  const keys = [...pins.value.keys()].sort();
  return ok(Object.fromEntries(keys.flatMap((key) => serialised(key, pins.value.get(key)))));
}

/** The pins of an export; null when its shape is wrong. */
export function importedPins(members: JsonObject): ImportedPins | null {
  return parsePins(members);
}

/**
 * Merges pins into a store, each by itself: what is there of another certificate stays unless `mayReplace`.
 * CERTIFICATE_STORE_UNAVAILABLE; what was done until then stays, and it can be done again.
 */
export async function importPins(
  store: TrustStore,
  pins: ImportedPins,
  mayReplace: boolean,
): Promise<Result<PinImport, Failure>> {
  const outcomes: Record<MergeOutcome, string[]> = { added: [], unchanged: [], merged: [], replaced: [], differs: [] };
  for (const [key, pin] of pins) {
    const endpoint = endpointOf(key);
    if (endpoint === null) continue;
    const merged = await store.update<MergeOutcome>(endpoint, (current) => {
      const { write, outcome } = mergePin(current, pin, mayReplace);
      return { write: write ?? 'keep', value: outcome };
    });
    if (!merged.ok) return merged;
    outcomes[merged.value].push(key);
  }
  return ok(outcomes);
}

function serialised(key: string, pin: PinRecord | undefined): [string, JsonObject][] {
  return pin === undefined ? [] : [[key, serialisePin(key, pin)]];
}
