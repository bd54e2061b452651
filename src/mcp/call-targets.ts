/**
 * What a call is about, for records: the URLs or the host in its arguments, without what a person may have typed into them.
 *
 * Arguments come here unchecked: calls that are refused are recorded as well. So any text is taken for a URL, of any length.
 */
import { MAX_RECORDED_TARGETS } from '../common/call-observer.port.js';
import type { JsonObject } from '../common/json.js';
import { parseAuthority } from '../common/net/authority.js';

/** Most code units of one target. */
export const MAX_TARGET_LENGTH = 512;

/** Targets of a call. */
export interface CallTargets {
  readonly targets: readonly string[];
  readonly targetCount: number;
}

/** The targets of a tool call: its `urls`, else its `url`, else its `host`. */
export function targetsOf({ url, urls, host }: JsonObject): CallTargets {
  const given = Array.isArray(urls) ? urls : [url ?? host];
  const texts = given.filter((item) => typeof item === 'string');
  return { targets: texts.slice(0, MAX_RECORDED_TARGETS).map(shownTarget), targetCount: texts.length };
}

/**
 * `url` without userinfo, and up to where a query or search begins. Where the authority is malformed, a password that holds a
 * delimiter may be to blame: then everything before the last `@` is left out.
 */
export function shownTarget(url: string): string {
  const schemeEnd = url.slice(0, MAX_TARGET_LENGTH).indexOf('://');
  const start = schemeEnd === -1 ? 0 : schemeEnd + '://'.length;
  const authorityLength = url.slice(start).search(AUTHORITY_END);
  const end = authorityLength === -1 ? url.length : start + authorityLength;
  const isMalformed = parseAuthority(url.slice(start, end)) === null;
  const at = url.lastIndexOf('@', isMalformed ? url.length : end - 1);
  const bare = url.slice(Math.max(start, at + 1), Math.max(start, at + 1) + MAX_TARGET_LENGTH - start);
  const queryAt = bare.search(QUERY_START);
  return url.slice(0, start) + (queryAt === -1 ? bare : bare.slice(0, queryAt));
}

const AUTHORITY_END = /[/\\?#\t]/;
/** `%09` and a tab separate selector and search terms of Gopher (RFC 4266). */
const QUERY_START = /[?#\t]|%09/;
