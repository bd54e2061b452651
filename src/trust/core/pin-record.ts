/**
 * Pins, and the form in which `tofu.json` keeps them.
 *
 * The file is shared with gopher-mcp 0.10: an object whose keys are `<normalised host>:<port>` (IPv6 without brackets) and
 * whose values hold `host`, `port`, `fingerprint`, `first_seen`, `last_seen`, `expires`. Ours is the optional `spki`. Members
 * that we do not know are kept as they are.
 */
import { canonicalFingerprint, parseFingerprint } from '../../common/fingerprint.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../common/json.js';
import { normalizeHost } from '../../common/net/host.js';

/** What is remembered of a host's certificate. Instants are epoch seconds with a fraction, as in the file. */
export interface PinRecord {
  /** SHA-256 of the leaf certificate, canonical; a hand-written value that is no fingerprint matches nothing. */
  readonly fingerprint: string;
  readonly firstSeenSeconds: number;
  readonly lastSeenSeconds: number;
  /** The certificate's notAfter; null when unknown (a pin made by hand). */
  readonly expiresSeconds: number | null;
  /** SHA-256 of the public key (SubjectPublicKeyInfo), canonical; null when unknown. */
  readonly spki: string | null;
  /** Members that we do not know. */
  readonly extra: JsonObject;
}

/** Whom a pin is for. */
export interface Endpoint {
  /** Normalised. */
  readonly host: string;
  readonly port: number;
}

/** The key of an endpoint. */
export function pinKey({ host, port }: Endpoint): string {
  return `${host}:${port}`;
}

/** The endpoint of a key as {@link pinKey} makes it; null when it is none. */
export function endpointOf(key: string): Endpoint | null {
  const colon = key.lastIndexOf(':');
  const port = key.slice(colon + 1);
  if (colon < 1 || !/^\d{1,5}$/.test(port) || !isPort(Number(port))) return null;
  return { host: key.slice(0, colon), port: Number(port) };
}

/**
 * All pins of a file, under keys in today's spelling of hosts (IPv6 in short form). Null when anything in it has a shape
 * that cannot be trusted: a pin that was skipped would be a host that is trusted anew.
 */
export function parsePins(members: JsonObject): ReadonlyMap<string, PinRecord> | null {
  const pins = new Map<string, PinRecord>();
  for (const [key, value] of Object.entries(members)) {
    const endpoint = endpointOf(key);
    const record = isJsonObject(value) ? parsePin(value) : null;
    if (endpoint === null || record === null) return null;
    const canonical = pinKey({ ...endpoint, host: normalizeHost(endpoint.host) ?? endpoint.host });
    // Of two spellings of one host the one that is already canonical counts.
    if (canonical === key || !pins.has(canonical)) pins.set(canonical, record);
  }
  return pins;
}

/** One pin; null when its shape is wrong. */
export function parsePin(value: JsonObject): PinRecord | null {
  const { host, port, fingerprint, first_seen, last_seen, expires, spki, ...extra } = value;
  if (typeof host !== 'string' || typeof fingerprint !== 'string') return null;
  if (port !== undefined && !isPort(port)) return null;
  if (!isInstant(first_seen) || !isInstant(last_seen)) return null;
  if (expires !== undefined && expires !== null && !isInstant(expires)) return null;
  return {
    fingerprint: canonicalFingerprint(fingerprint),
    firstSeenSeconds: first_seen,
    lastSeenSeconds: last_seen,
    expiresSeconds: expires ?? null,
    // One that is none says nothing about the key; it is not another key.
    spki: typeof spki === 'string' ? parseFingerprint(spki) : null,
    extra,
  };
}

/** A pin as the file holds it. */
export function serialisePin(key: string, pin: PinRecord): JsonObject {
  const endpoint = endpointOf(key);
  return {
    host: endpoint?.host ?? key,
    port: endpoint?.port ?? DEFAULT_PORT,
    fingerprint: pin.fingerprint,
    first_seen: pin.firstSeenSeconds,
    last_seen: pin.lastSeenSeconds,
    expires: pin.expiresSeconds,
    ...(pin.spki === null ? {} : { spki: pin.spki }),
    ...pin.extra,
  };
}

/** Whether the pinned certificate had run out at `nowMs`; false when its end is unknown. */
export function isPinExpired(pin: PinRecord, nowMs: number): boolean {
  return pin.expiresSeconds !== null && pin.expiresSeconds * 1000 < nowMs;
}

const DEFAULT_PORT = 1965;

/** Years 1 to 9999: what a date in a result can show. */
const FIRST_INSTANT = -62_135_596_800;
const LAST_INSTANT = 253_402_300_800;

function isInstant(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && value >= FIRST_INSTANT && value < LAST_INSTANT;
}

function isPort(value: JsonValue): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 65535;
}
