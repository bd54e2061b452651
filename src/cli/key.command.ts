/** `gopher-mcp key`: the API keys of a gateway, in the file that GOPHER_MCP_API_KEYS_FILE names. */
import { randomBytes } from 'node:crypto';
import {
  API_KEY_ID_BYTES,
  API_KEY_SECRET_BYTES,
  ApiKeyFile,
  apiKeyState,
  composeApiKey,
  hashApiKey,
  isoTime,
  plannedApiKey,
} from '../auth/index.js';
import type { Failure } from '../common/error-codes.js';
import { SCOPES } from '../common/principal.js';
import { quote } from '../common/text/quote.js';
import type { CommandArguments } from './command-arguments.js';
import type { CommandContext } from './command-context.js';
import type { CommandOptions } from './command-syntax.js';
import { EXIT, type CommandGroup, type ExitCode, type RunnableCommand } from './command.js';
import { printableLine } from './printable.js';
import { refuseSettings } from './refuse-settings.js';
import { tableLines } from './table.js';

/** Ids are drawn by chance: one that is taken is drawn again, and a file where this fails is not a file of keys. */
const MAX_DRAWS = 10;

const FILE_OPTION: CommandOptions = {
  file: { type: 'string', value: 'PATH', description: 'the file of keys (default: GOPHER_MCP_API_KEYS_FILE)' },
};

const create: RunnableCommand = {
  name: 'create',
  summary: 'make an API key and print it, once',
  details: `The key is printed to stdout and nowhere kept: only its hash is in the file. A server that runs takes it within a second.

Example: gopher-mcp key create --tenant acme --subject reader-bot --scope smallweb:read --expires 90d`,
  operands: [],
  options: {
    tenant: {
      type: 'string',
      value: 'TENANT',
      description: 'whose state and quotas the caller shares (default: default)',
    },
    subject: { type: 'string', value: 'NAME', description: 'the person or program that gets the key; required' },
    scope: {
      type: 'string',
      multiple: true,
      value: 'SCOPE',
      choices: SCOPES,
      description: 'what it may do; may be repeated; required',
    },
    expires: {
      type: 'string',
      value: 'WHEN',
      description: 'last day, such as 2027-06-30, or days from now, such as 90d',
    },
    ...FILE_OPTION,
  },
  run: async (context, args) => {
    const subject = args.text('subject');
    if (subject === null) return refuse(context, '--subject is missing');
    const planned = plannedApiKey(
      {
        tenant: args.text('tenant') ?? 'default',
        subject,
        scopes: args.texts('scope'),
        expires: args.text('expires'),
      },
      context.clock.nowMs(),
    );
    if (!planned.ok) return refuse(context, planned.error);
    return withFile(context, args, async (file) => {
      for (let draw = 0; draw < MAX_DRAWS; draw++) {
        const { id, key } = composeApiKey(randomBytes(API_KEY_ID_BYTES), randomBytes(API_KEY_SECRET_BYTES));
        const added = await file.add(id, { ...planned.value, hash: hashApiKey(key) });
        if (!added.ok) return failed(context, added.error);
        if (!added.value) continue;
        context.stderr.write(`Key ${id} was made. Keep what follows in a safe place: it cannot be shown again.\n`);
        context.stdout.write(`${key}\n`);
        return EXIT.ok;
      }
      throw new Error('no free id was found');
    });
  },
};

const list: RunnableCommand = {
  name: 'list',
  summary: 'list the API keys, never their secrets',
  operands: [],
  options: { json: { type: 'boolean', description: 'print JSON' }, ...FILE_OPTION },
  run: (context, args) =>
    withFile(context, args, async (file) => {
      const keys = await file.readAll();
      if (!keys.ok) return failed(context, keys.error);
      const nowMs = context.clock.nowMs();
      const shown = Array.from(keys.value, ([id, record]) => ({
        id,
        state: apiKeyState(record, nowMs),
        tenant: record.tenant,
        subject: record.subject,
        scopes: record.scopes,
        created: isoTime(record.createdMs),
        expires: record.expiresMs === null ? null : isoTime(record.expiresMs),
        revoked: record.revokedMs === null ? null : isoTime(record.revokedMs),
      }));
      if (args.flag('json')) {
        context.stdout.write(`${JSON.stringify(shown, null, 2)}\n`);
        return EXIT.ok;
      }
      const rows = shown.map(({ id, state, tenant, subject, scopes, expires }) => [
        id,
        state,
        `${tenant}/${subject}`,
        scopes.join(' '),
        expires === null ? 'never expires' : `expires ${expires}`,
      ]);
      const lines = rows.length === 0 ? ['There are no keys.'] : tableLines(rows).map(printableLine);
      context.stdout.write(`${lines.join('\n')}\n`);
      return EXIT.ok;
    }),
};

const revoke: RunnableCommand = {
  name: 'revoke',
  summary: 'end an API key; a server that runs refuses it within a second',
  operands: [{ name: 'ID' }],
  options: FILE_OPTION,
  run: (context, args) =>
    withFile(context, args, async (file) => {
      const id = args.operand(0);
      const outcome = await file.revoke(id, context.clock.nowMs());
      if (!outcome.ok) return failed(context, outcome.error);
      if (outcome.value === 'unknown') {
        // Somebody may give the whole key: it must not be repeated on a screen.
        context.stderr.write(`gopher-mcp: error: there is no key ${id.length > 12 ? 'of this id' : quote(id)}\n`);
        return EXIT.failed;
      }
      context.stderr.write(outcome.value === 'before' ? `Key ${id} was revoked before.\n` : `Key ${id} is revoked.\n`);
      return EXIT.ok;
    }),
};

/** See the file's header. */
export const keyCommand: CommandGroup = {
  name: 'key',
  summary: 'make, list and revoke the API keys of a gateway',
  details: 'Keys count where GOPHER_MCP_AUTH lists api-key.',
  commands: [create, list, revoke],
};

/** Runs `work` on the file that an option or the settings name. */
async function withFile(
  context: CommandContext,
  args: CommandArguments,
  work: (file: ApiKeyFile) => Promise<ExitCode>,
): Promise<ExitCode> {
  let path = args.text('file');
  if (path === null) {
    const loaded = await context.loadConfig();
    if (!loaded.ok) return refuseSettings(context, loaded.error);
    path = loaded.value.auth.apiKeysFile;
  }
  if (path === null) return refuse(context, 'name the file with --file, or set GOPHER_MCP_API_KEYS_FILE');
  return work(new ApiKeyFile({ path, clock: context.clock, platform: context.platform }));
}

function refuse({ stderr }: CommandContext, message: string): ExitCode {
  stderr.write(`gopher-mcp: error: ${message}\n`);
  return EXIT.usage;
}

/** The next step of the store is for a model; a person at a terminal is the operator that it names. */
function failed({ stderr }: CommandContext, { message }: Failure): ExitCode {
  stderr.write(`gopher-mcp: error: ${message}\n`);
  return EXIT.failed;
}
