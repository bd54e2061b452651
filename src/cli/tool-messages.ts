/** What a tool says of a failure, for a person at a terminal instead of a model. */
import type { JsonObject } from '../common/json.js';
import type { CommandContext } from './command-context.js';
import { EXIT, type ExitCode } from './command.js';
import { objectField, textField } from './payload-fields.js';
import { printableLine } from './printable.js';
import { stylesOf } from './styles.js';

/** The command that does for a person what a tool does for a model. */
const COMMAND_OF_TOOL: readonly (readonly [RegExp, string])[] = [
  [/\bgemini_trust_list\b/g, '"gopher-mcp trust list"'],
  [/\bgemini_trust_update with action "(pin|remove)"/g, '"gopher-mcp trust $1"'],
  [/\bgemini_trust_update\b/g, '"gopher-mcp trust"'],
  [/\bgemini_client_cert_list\b/g, '"gopher-mcp identity list"'],
  [/\bgemini_client_cert_update with action "(create|remove)" and this URL/g, '"gopher-mcp identity $1" with this URL'],
  [/\bgemini_client_cert_update\b/g, '"gopher-mcp identity"'],
  [/\b(gopher|gemini)_fetch\b/g, '"gopher-mcp fetch"'],
];

/** Advice of a tool in the words of the command line. */
export function forPeople(advice: string): string {
  let text = advice;
  for (const [tool, command] of COMMAND_OF_TOOL) text = text.replace(tool, command);
  return text;
}

/** Reports the failure in a payload on stderr: what happened, what to do, the code. */
export function reportFailure({ stderr, terminal }: CommandContext, payload: JsonObject): ExitCode {
  const styles = stylesOf(terminal.hasColours && terminal.showsProgress);
  const error = objectField(payload, 'error');
  const line = (style: (text: string) => string, label: string, text: string): void => {
    if (text !== '') stderr.write(`${style(label)} ${printableLine(text)}\n`);
  };
  line(styles.bad, 'error:', `${textField(error, 'message')} [${textField(error, 'code')}]`);
  line(styles.dim, 'the server says:', textField(error, 'meta'));
  line(styles.dim, 'pinned:   ', textField(error, 'pinned_fingerprint'));
  line(styles.dim, 'presented:', textField(error, 'presented_fingerprint'));
  line(styles.good, 'next step:', forPeople(textField(error, 'next_step')));
  return EXIT.failed;
}

/** Prints a payload as it is, for programs. Exit code 1 when it is a failure. */
export function printJson({ stdout }: CommandContext, payload: JsonObject): ExitCode {
  stdout.write(`${JSON.stringify(payload, null, 2)}\n`);
  return payload['kind'] === 'error' ? EXIT.failed : EXIT.ok;
}
