import { quote } from '../common/text/quote.js';
import { nearestName } from '../config/edit-distance.js';

/** What is said of a name that no command has. */
export function unknownName(word: string, names: readonly string[]): string {
  const nearest = nearestName(word, names);
  const hint = nearest === null ? `the commands are ${names.join(', ')}` : `did you mean ${quote(nearest)}?`;
  return `unknown command ${quote(word)}; ${hint}`;
}
