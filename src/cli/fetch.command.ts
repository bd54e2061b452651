/** `gopher-mcp fetch URL`: reads a page as a model would, and shows it to a person. */
import type { JsonObject } from '../common/json.js';
import type { CommandArguments } from './command-arguments.js';
import type { CommandContext, CommandServices } from './command-context.js';
import { EXIT, type ExitCode, type RunnableCommand } from './command.js';
import { pageLines } from './page-lines.js';
import { numberField, objectField, textField } from './payload-fields.js';
import { payloadOf } from './payload-of.js';
import { printableLine } from './printable.js';
import { showProgress } from './progress.js';
import { stylesOf } from './styles.js';
import { forPeople, printJson, reportFailure } from './tool-messages.js';
import { withServices } from './with-services.js';

/** Longest line of running text: wider ones are hard to read. */
const WIDEST_COLUMNS = 100;

/** See the file's header. */
export const fetchCommand: RunnableCommand = {
  name: 'fetch',
  summary: 'show a Gopher or Gemini page',
  details: `Exit codes: 0 the server answered, 1 there is no page (or a client identity is needed), 2 wrong arguments
or settings. The same rules hold as for a model: pins, robots.txt, pacing and the address policy.

examples:
  gopher-mcp fetch gemini://geminiprotocol.net/
  gopher-mcp fetch gopher://gopher.floodgap.com/7/v2/vs --search "history of gopher"
  gopher-mcp fetch gemini://geminiprotocol.net/docs/ --json`,
  operands: [{ name: 'URL' }],
  options: {
    search: { type: 'string', short: 's', value: 'TERMS', description: 'search terms for a Gopher item of type 7' },
    input: { type: 'string', short: 'i', value: 'TEXT', description: 'answer to a question of a Gemini capsule' },
    offset: {
      type: 'string',
      value: 'N',
      integer: { min: 0, max: Number.MAX_SAFE_INTEGER },
      description: 'where to go on in a long page',
    },
    format: {
      type: 'string',
      choices: ['full', 'text', 'links', 'outline'],
      description: 'how much of the page (default: full)',
    },
    refresh: { type: 'boolean', description: 'ask the server again, whatever is cached' },
    json: { type: 'boolean', description: 'print what a model gets, as JSON' },
  },
  async run(context, args) {
    const [given, scheme] = args.text('search') === null ? ['input', 'gemini'] : ['search', 'gopher'];
    if (args.text(given) !== null && !isScheme(scheme, args.operand(0))) {
      context.stderr.write(`gopher-mcp: error: --${given} is for ${scheme}:// URLs\n`);
      return EXIT.usage;
    }
    return withServices(context, (services) => show(context, args, services));
  },
};

function isScheme(scheme: string, url: string): boolean {
  return url.trim().toLowerCase().startsWith(`${scheme}:`);
}

async function show(context: CommandContext, args: CommandArguments, services: CommandServices): Promise<ExitCode> {
  const url = args.operand(0);
  const search = args.text('search');
  let payload = await fetchPage(context, services, request(args, args.text('input')));
  if (payload['kind'] === 'input' && context.terminal.isInteractive && !args.flag('json')) {
    const isHidden = payload['sensitive'] === true;
    const answer = await context.ask(`${printableLine(textField(payload, 'prompt'))}: `, { isHidden });
    if (answer === null) return EXIT.failed;
    payload = await fetchPage(context, services, request(args, answer));
  }
  if (args.flag('json')) return printJson(context, payload);
  if (payload['kind'] === 'error') return reportFailure(context, payload);
  const { columns, hasColours } = context.terminal;
  const look = { styles: stylesOf(hasColours), columns: columns === null ? null : Math.min(columns, WIDEST_COLUMNS) };
  context.stdout.write(`${pageLines(payload, look).join('\n')}\n`);
  for (const note of notes(payload, search === null ? quoted(url) : `${quoted(url)} --search ${quoted(search)}`)) {
    context.stderr.write(`${stylesOf(hasColours && context.terminal.showsProgress).dim(note)}\n`);
  }
  return payload['kind'] === 'certificate' ? EXIT.failed : EXIT.ok;
}

/** The arguments of the fetch tools; what was not given is left to them. */
function request(args: CommandArguments, input: string | null): JsonObject {
  return {
    url: args.operand(0),
    ...given('search', args.text('search')),
    ...given('input', input),
    ...given('offset', args.integer('offset')),
    ...given('format', args.text('format')),
    ...(args.flag('refresh') ? { refresh: true } : {}),
  };
}

function given(name: string, value: string | number | null): JsonObject {
  return value === null ? {} : { [name]: value };
}

async function fetchPage(context: CommandContext, services: CommandServices, args: JsonObject): Promise<JsonObject> {
  const done = showProgress(context, 'fetching');
  try {
    const tool = isScheme('gopher', textField(args, 'url')) ? 'gopher_fetch' : 'gemini_fetch';
    return await payloadOf(services, tool, args);
  } finally {
    done();
  }
}

/** What is to be said about a page beside the page. `target` is what the command was given, for the shell. */
function notes(payload: JsonObject, target: string): string[] {
  const found: string[] = [];
  const info = objectField(payload, 'request_info');
  for (const warning of [textField(info, 'tofu_warning'), textField(info, 'client_cert_warning')]) {
    if (warning !== '') found.push(`note: ${printableLine(forPeople(warning))}`);
  }
  const age = numberField(payload, 'cache_age_seconds');
  if (payload['cached'] === true && age !== null)
    found.push(`note: read ${Math.round(age)} s ago; --refresh reads it anew`);
  if (payload['incomplete'] === true) found.push('note: the page ended early');
  const nextOffset = numberField(payload, 'next_offset');
  if (nextOffset !== null) found.push(`the page goes on: gopher-mcp fetch ${target} --offset ${nextOffset}`);
  switch (textField(payload, 'kind')) {
    case 'redirect':
      found.push(`go on with: gopher-mcp fetch ${quoted(printableLine(textField(payload, 'new_url')))}`);
      break;
    case 'input':
      found.push(`answer with: gopher-mcp fetch ${target} --input TEXT`);
      break;
    case 'certificate':
      found.push(
        payload['status'] === 60
          ? `if you want to be known there: gopher-mcp identity create ${target}`
          : `next step: ${forPeople(textField(payload, 'next_step'))}`,
      );
      break;
  }
  return found;
}

/** As one word of a POSIX shell. */
function quoted(word: string): string {
  return /^[\w:/.%~+,@=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
