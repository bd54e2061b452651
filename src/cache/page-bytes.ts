/** A page as bytes: the length of its facts (32 bits, big-endian), the facts as JSON, and what is ready to send. */
import { isJsonObject } from '../common/json.js';
import type { CachedPage } from './page-cache.port.js';

const LENGTH_BYTES = 4;

/** See the file's header. */
export function encodePage({ constant, ...facts }: CachedPage): Buffer {
  const head = Buffer.from(JSON.stringify(facts));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(head.length);
  return Buffer.concat([length, head, constant]);
}

/** The page; undefined when the bytes are none. What is ready to send is copied, so that it keeps nothing else alive. */
export function decodePage(bytes: Buffer): CachedPage | undefined {
  if (bytes.length < LENGTH_BYTES) return undefined;
  const headEnd = LENGTH_BYTES + bytes.readUInt32BE();
  if (headEnd >= bytes.length) return undefined;
  try {
    const facts: unknown = JSON.parse(bytes.toString('utf8', LENGTH_BYTES, headEnd));
    if (!isJsonObject(facts)) return undefined;
    const { kind, fetchedAtMs, connection } = facts;
    if (typeof kind !== 'string' || typeof fetchedAtMs !== 'number' || !isJsonObject(connection)) return undefined;
    return { kind, fetchedAtMs, connection, constant: Buffer.from(bytes.subarray(headEnd)) };
  } catch {
    return undefined;
  }
}
