/**
 * The file that `gopher-mcp store export` writes and `store import` reads:
 *
 *   { "format": "gopher-mcp store", "version": 1, "pins": as tofu.json, "identities": by tenant, see cert }
 */
import { importedIdentities, type TransferredIdentities } from '../cert/index.js';
import { isJsonObject, type JsonObject } from '../common/json.js';
import { err, ok, type Result } from '../common/result.js';
import { importedPins, type ImportedPins } from '../trust/index.js';

const FORMAT = 'gopher-mcp store';
const VERSION = 1;

/** What an export holds. */
export interface StoreDocument {
  readonly pins: ImportedPins;
  readonly identities: TransferredIdentities;
}

/** The text of an export, with a line feed at its end. */
export function writeStoreDocument(pins: JsonObject, identities: JsonObject): string {
  return `${JSON.stringify({ format: FORMAT, version: VERSION, pins, identities }, null, 2)}\n`;
}

/** Reads an export as a whole, or not at all; fails with what is wrong with it. */
export function readStoreDocument(text: string): Result<StoreDocument, string> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return err('it is not JSON');
  }
  if (!isJsonObject(value) || value['format'] !== FORMAT) return err('it is no export of a store');
  if (value['version'] !== VERSION) return err('it is of a version that this program does not know');
  const { pins: pinMembers = {}, identities: identityMembers = {} } = value;
  const pins = isJsonObject(pinMembers) ? importedPins(pinMembers) : null;
  if (pins === null) return err('its pins have a wrong shape');
  const identities = isJsonObject(identityMembers) ? importedIdentities(identityMembers) : null;
  return identities === null ? err('its identities have a wrong shape') : ok({ pins, identities });
}
