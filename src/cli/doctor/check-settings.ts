/** The settings: what is wrong with them, and what is valid but deserves a look. */
import type { Result } from '../../common/result.js';
import { formatProblem, type Config, type ConfigProblem } from '../../config/index.js';
import { broken, doubtful, fine, type Finding } from './finding.js';

const NAME = 'settings';

/** See the file's header. */
export function checkSettings(loaded: Result<Config, readonly ConfigProblem[]>): Finding[] {
  if (!loaded.ok) {
    return loaded.error.map((problem) =>
      broken(
        NAME,
        formatProblem(problem).replace(/^gopher-mcp: configuration error: /, ''),
        'Correct or unset it; docs/configuration.md lists all settings.',
      ),
    );
  }
  const notices = loaded.value.notices.map(({ level, event, fields }) => {
    const { remedy, ...facts } = fields;
    const text = [event, ...Object.entries(facts).map(([name, value]) => `${name}=${String(value)}`)].join(' ');
    if (level === 'info') return fine(NAME, text);
    return doubtful(
      NAME,
      text,
      typeof remedy === 'string' ? remedy : 'Check the spelling of the setting and its value.',
    );
  });
  return [fine(NAME, 'valid'), ...notices];
}
