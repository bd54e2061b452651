/** Changes to pins and identities: the tool puts its question, the person answers it, the tool carries it out. */
import type { JsonObject } from '../common/json.js';
import type { CommandArguments } from './command-arguments.js';
import type { CommandContext, CommandServices } from './command-context.js';
import type { CommandOptions } from './command-syntax.js';
import { EXIT, type ExitCode } from './command.js';
import { textField } from './payload-fields.js';
import { printableLine } from './printable.js';
import { printJson, reportFailure } from './tool-messages.js';

/** Options of every command that changes something. */
export const CHANGE_OPTIONS = {
  yes: { type: 'boolean', short: 'y', description: 'do not ask; needed where nobody can be asked' },
  json: { type: 'boolean', description: 'print what a model gets, as JSON' },
} as const satisfies CommandOptions;

/** Calls the tool, with the consent of `--yes` or of the person at the terminal. */
export async function confirmedChange(
  context: CommandContext,
  args: CommandArguments,
  services: CommandServices,
  [tool, toolArguments]: readonly [name: string, args: JsonObject],
): Promise<ExitCode> {
  let answer = await services.callTool(tool, toolArguments, args.flag('yes') ? 'given' : 'unasked');
  if (answer.kind === 'question') {
    if (!(await agrees(context, answer.message))) return EXIT.failed;
    answer = await services.callTool(tool, toolArguments, 'given');
    if (answer.kind === 'question') throw new TypeError(`${tool} asks again after an answer`);
  }
  const { payload } = answer;
  if (args.flag('json')) return printJson(context, payload);
  if (payload['kind'] === 'error') return reportFailure(context, payload);
  context.stdout.write(`${printableLine(textField(payload, 'message'))}\n`);
  return EXIT.ok;
}

async function agrees(context: CommandContext, question: string): Promise<boolean> {
  const { stderr, terminal } = context;
  const asked = printableLine(question);
  if (!terminal.isInteractive) {
    stderr.write(
      `gopher-mcp: nothing was changed. It needs a yes, and nobody can be asked: ${asked}\nAdd --yes if you agree.\n`,
    );
    return false;
  }
  const answer = await context.ask(`${asked} [y/N] `);
  if (answer !== null && /^\s*y(es)?\s*$/i.test(answer)) return true;
  stderr.write('Nothing was changed.\n');
  return false;
}
