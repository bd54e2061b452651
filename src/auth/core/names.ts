/** How subjects and scopes are written, wherever they come from: a claim, the file of keys, a command line. */
import { SCOPES, type Scope } from '../../common/principal.js';

/** Longest name of a subject, as OpenID Connect Core 1.0, section 2, has it. */
const MAX_SUBJECT_UNITS = 255;

/** The tenant of those whose credential names none. */
export const DEFAULT_TENANT = 'default';

/** Whether `text` can name a subject: 1 to 255 printable ASCII characters, blanks at neither end. */
export function isSubjectName(text: string): boolean {
  return text.length <= MAX_SUBJECT_UNITS && /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text);
}

/** Those of `words` that are scopes of ours; a token may carry many for others. */
export function knownScopes(words: Iterable<string>): ReadonlySet<Scope> {
  const found = new Set<Scope>();
  for (const word of words) {
    const scope = SCOPES.find((known) => known === word);
    if (scope !== undefined) found.add(scope);
  }
  return found;
}
