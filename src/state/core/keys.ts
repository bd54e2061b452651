/** Names of keys. What stands in braces decides the node of a cluster that a key lies on. */
import { createHash } from 'node:crypto';

/** Longer or stranger parts are named by their digest: keys stay short, printable, and tell no query of anybody. */
const PLAIN = /^[a-z0-9._:[\]-]{1,128}$/;

/**
 * `prefix` + `kind:{slot}` + `:rest`.
 *
 * @see https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#hash-tags
 */
export function sharedKey(prefix: string, kind: string, slot: string, rest: string): string {
  const tagged = `${prefix}${kind}:{${named(slot)}}`;
  return rest === '' ? tagged : `${tagged}:${named(rest)}`;
}

function named(part: string): string {
  return PLAIN.test(part) ? part : createHash('sha256').update(part).digest('base64url');
}
