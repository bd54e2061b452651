/**
 * Whether rules refuse a resource. A resource is refused when any spelling of its path falls under any rule: as given, with
 * escapes decoded, and with `.` and `..` resolved, because a server may see any of these as the same thing.
 */
import { byteText, decodedByteText, matchCost, matches } from './robots-pattern.js';
import type { RobotsRules } from './robots-rules.js';

/**
 * Characters looked at, at most, for rules with stars. Files that mean something stay below by orders of magnitude; one
 * that does not was made to keep us busy, and counts as refusing.
 */
const MAX_MATCH_COST = 5_000_000;

/**
 * Whether `rules` refuse a resource.
 *
 * @param paths spellings of the resource's path that its protocol knows, e.g. `/dir/file`; one without a leading slash is
 *   matched as it stands too
 */
export function isRefused(rules: RobotsRules, paths: readonly string[]): boolean {
  if (rules.length === 0) return false;
  let cost = 0;
  for (const path of spellings(paths)) {
    for (const pattern of rules) {
      cost += matchCost(pattern, path);
      if (cost > MAX_MATCH_COST || matches(pattern, path)) return true;
    }
  }
  return false;
}

function spellings(paths: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (const path of paths) {
    for (const spelling of [byteText(path), decodedByteText(path)]) {
      const resolved = withoutDotSegments(spelling);
      found.add(spelling).add(resolved);
      if (!resolved.startsWith('/')) found.add(`/${resolved}`);
    }
  }
  return found;
}

/**
 * `path` with `.` and `..` resolved (RFC 3986 section 5.2.4). Nothing goes above the root; in a path that starts with a
 * Gopher item type instead of a slash, the type stays in front.
 */
function withoutDotSegments(path: string): string {
  if (!path.includes('/.')) return path;
  const kept: string[] = [];
  const segments = path.split('/');
  segments.forEach((segment, index) => {
    if (segment !== '.' && segment !== '..') {
      kept.push(segment);
      return;
    }
    if (segment === '..' && kept.length > 1) kept.pop();
    if (index === segments.length - 1) kept.push('');
  });
  return kept.join('/');
}
