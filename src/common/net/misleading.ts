/**
 * Links whose words name another place than the link goes to.
 *
 * Only an authority that is written out, behind `://`, counts as naming a place: a bare word with a dot in it may be a file name.
 * A leading `www.` makes no difference. The decision is about what is shown, and never changes where a link goes.
 */
import { parseAuthority } from './authority.js';
import { normalizeHost } from './host.js';

/**
 * Whether a person who reads `words` would take `url` for a link to somewhere else: the words hold URLs and none of them is of the
 * link's host, or the link hides its host behind a user name. Linear in both.
 *
 * @param words the label of the link, sanitised; null without one
 */
export function isMisleading(words: string | null, url: string): boolean {
  // Nearly all links name nobody and nothing else.
  if (!url.includes('@') && words?.includes(MARK) !== true) return false;
  const mark = url.indexOf(MARK);
  const target = mark === -1 ? '' : authorityAt(url, mark + MARK.length);
  if (target.includes('@') && !isEmptyUser(target)) return true;
  if (words === null || !words.includes(MARK)) return false;
  const host = hostOf(target);
  let showsAnother = false;
  for (let at = words.indexOf(MARK); at !== -1; at = words.indexOf(MARK, at + MARK.length)) {
    const shown = hostOf(authorityAt(words, at + MARK.length));
    if (shown === null) continue;
    if (shown === host) return false;
    showsAnother = true;
  }
  return showsAnother;
}

/** The authority that begins at `start`; text beyond {@link MAX_AUTHORITY} is not looked at. */
function authorityAt(text: string, start: number): string {
  const found = text.slice(start, start + MAX_AUTHORITY);
  const end = found.search(AUTHORITY_END);
  return end === -1 ? found : found.slice(0, end);
}

function isEmptyUser(authority: string): boolean {
  const userinfo = authority.slice(0, authority.lastIndexOf('@'));
  return userinfo === '' || userinfo === ':';
}

/** One spelling of the host of an authority; null when it names none. */
function hostOf(authority: string): string | null {
  const host = normalizeHost(parseAuthority(authority)?.host ?? '');
  if (host === null || host === '') return null;
  return host.startsWith('www.') ? host.slice('www.'.length) : host;
}

const MARK = '://';
/** Code units: longer than any host with its port and a plausible user name. */
const MAX_AUTHORITY = 512;
/** RFC 3986 section 3.2, and what sets a URL off from the words around it. */
const AUTHORITY_END = /[/?#\s<>"'(),;|]/;
