/**
 * Secrets out of files, the way that Docker and Kubernetes hand them over: for a setting that is a secret, the variable `<NAME>_FILE`
 * names a file whose text is the value. One line feed at its end (with a carriage return before it, or without) does not count.
 *
 * Neither the text nor the path is quoted anywhere: whoever mixes the two variables up has put the secret itself in the place of
 * the path.
 */
import type { Result } from '../common/result.js';
import type { ConfigProblem } from './config-problem.js';
import type { GivenValue } from './environment.js';
import { SECTIONS, secretFileVariable, variableName } from './sections.js';
import { isUnset, settingsOf } from './setting.js';
import { isBlank } from './value-syntax.js';

/** Reads the file of a secret, as a whole; fails with a word or two for the operator, such as the system's `ENOENT`. */
export type ReadSecretFile = (path: string) => Result<Uint8Array, string>;

/**
 * `given` with the secrets that files hold, each called by its `_FILE` variable in later problems. What cannot be used is added to
 * `problems`: a secret that is given twice, and a file that cannot be read, is empty, or is not UTF-8.
 */
export function withSecretFiles(
  given: ReadonlyMap<string, GivenValue>,
  read: ReadSecretFile,
  problems: ConfigProblem[],
): ReadonlyMap<string, GivenValue> {
  const complete = new Map(given);
  for (const section of SECTIONS) {
    for (const setting of settingsOf(section.type)) {
      if (!setting.secret) continue;
      const variable = variableName(section, setting);
      const name = secretFileVariable(variable);
      const path = given.get(name)?.text ?? '';
      if (isBlank(path)) continue;
      const direct = given.get(variable);
      if (direct !== undefined && !isUnset(setting.kind, direct.text)) {
        problems.push({ name, requirement: `must not be given together with ${variable}`, rejected: null });
        continue;
      }
      const content = read(path);
      const text = content.ok ? decoded(content.value) : null;
      if (text !== null && !isBlank(text)) {
        complete.set(variable, { name, text });
        continue;
      }
      const reason = !content.ok ? content.error : text === null ? 'not UTF-8' : 'empty';
      problems.push({ name, requirement: `must name a file that holds the secret (${reason})`, rejected: null });
    }
  }
  return complete;
}

/** The secret in the content of its file; null when it is not text. */
function decoded(bytes: Uint8Array): string | null {
  try {
    return UTF8.decode(bytes).replace(/\r?\n$/, '');
  } catch {
    return null;
  }
}

/** Drops a byte order mark; throws on anything that is not UTF-8. */
const UTF8 = new TextDecoder('utf-8', { fatal: true });
