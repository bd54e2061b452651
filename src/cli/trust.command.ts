/** `gopher-mcp trust`: the pinned certificates of Gemini servers, over the tools that a model has for them. */
import { parseInteger } from '../config/value-syntax.js';
import type { CommandArguments } from './command-arguments.js';
import type { CommandContext } from './command-context.js';
import { EXIT, type CommandGroup, type ExitCode, type RunnableCommand } from './command.js';
import { CHANGE_OPTIONS, confirmedChange } from './confirmed-change.js';
import { numberField, objectsField, textField } from './payload-fields.js';
import { payloadOf } from './payload-of.js';
import { printableLine } from './printable.js';
import { tableLines } from './table.js';
import { printJson, reportFailure } from './tool-messages.js';
import { withServices } from './with-services.js';

const DEFAULT_PORT = 1965;

const list: RunnableCommand = {
  name: 'list',
  summary: 'list the pinned certificates, of one host or all',
  operands: [{ name: 'HOST', optional: true }],
  options: { json: { type: 'boolean', description: 'print what a model gets, as JSON' } },
  run: (context, args) =>
    withServices(context, async (services) => {
      const host = args.operands[0] ?? null;
      const payload = await payloadOf(services, 'gemini_trust_list', { host });
      if (args.flag('json')) return printJson(context, payload);
      if (payload['kind'] === 'error') return reportFailure(context, payload);
      const rows = objectsField(payload, 'entries').map((entry) => [
        `${textField(entry, 'host')}:${numberField(entry, 'port') ?? DEFAULT_PORT}`,
        textField(entry, 'fingerprint'),
        `last seen ${textField(entry, 'last_seen')}`,
        `${entry['expired'] === true ? 'EXPIRED' : 'expires'} ${textField(entry, 'expires') || 'unknown'}`,
      ]);
      const lines = rows.length === 0 ? ['No certificate is pinned.'] : tableLines(rows).map(printableLine);
      context.stdout.write(`${lines.join('\n')}\n`);
      return EXIT.ok;
    }),
};

const pin: RunnableCommand = {
  name: 'pin',
  summary: 'pin a certificate by its fingerprint; the host is not contacted',
  details: 'The fingerprint is the SHA-256 of the certificate, 64 hex digits, as the operator of the capsule tells it.',
  operands: [{ name: 'HOST[:PORT]' }],
  options: {
    fingerprint: { type: 'string', value: 'F', description: 'the fingerprint to pin; asked for when it is missing' },
    ...CHANGE_OPTIONS,
  },
  run: (context, args) => change(context, args, 'pin', () => givenFingerprint(context, args)),
};

const remove: RunnableCommand = {
  name: 'remove',
  summary: 'remove a pin: the next visit pins whatever it sees',
  operands: [{ name: 'HOST[:PORT]' }],
  options: {
    fingerprint: { type: 'string', value: 'F', description: 'remove it only if this is the pinned one' },
    ...CHANGE_OPTIONS,
  },
  run: (context, args) => change(context, args, 'remove', () => Promise.resolve(args.text('fingerprint'))),
};

/** See the file's header. */
export const trustCommand: CommandGroup = {
  name: 'trust',
  summary: 'list, set and remove certificate pins of Gemini servers',
  details: `Gemini has no certificate authorities: the first certificate seen of a host and port is pinned, and a
different one is refused later. Change a pin only when you know why the certificate changed.`,
  commands: [list, pin, remove],
};

async function change(
  context: CommandContext,
  args: CommandArguments,
  action: 'pin' | 'remove',
  fingerprintOf: () => Promise<string | null>,
): Promise<ExitCode> {
  const endpoint = parseEndpoint(args.operand(0));
  if (endpoint === null) return refuse(context, 'the port must be an integer from 1 to 65535');
  const given = await fingerprintOf();
  if (action === 'pin' && given === null) return refuse(context, '--fingerprint is missing');
  return withServices(context, async (services) => {
    let fingerprint = given;
    if (fingerprint === null) {
      // The tool takes no removal without the pin that is meant; a person means the one that is there and sees it in the question.
      const payload = await payloadOf(services, 'gemini_trust_list', { host: endpoint.host });
      if (payload['kind'] === 'error') return reportFailure(context, payload);
      const entry = objectsField(payload, 'entries').find((one) => numberField(one, 'port') === endpoint.port);
      if (entry === undefined) {
        context.stderr.write(
          `gopher-mcp: there is no pin for port ${endpoint.port} of that host; nothing was changed.\n`,
        );
        return EXIT.failed;
      }
      fingerprint = textField(entry, 'fingerprint');
    }
    return confirmedChange(context, args, services, ['gemini_trust_update', { action, ...endpoint, fingerprint }]);
  });
}

async function givenFingerprint(context: CommandContext, args: CommandArguments): Promise<string | null> {
  return args.text('fingerprint') ?? (context.terminal.isInteractive ? context.ask('Fingerprint to pin: ') : null);
}

/** `host`, `host:port`, `[::1]:port`, `::1`; null when the port is none. */
export function parseEndpoint(text: string): { host: string; port: number } | null {
  const [, bracketed, host, portText] = /^(?:\[([^\]]*)\]|([^:]*))(?::([^:]*))?$/.exec(text) ?? [];
  const name = bracketed ?? host;
  if (name === undefined) return { host: text, port: DEFAULT_PORT };
  const port = portText === undefined ? DEFAULT_PORT : parseInteger(portText);
  return port === null || port < 1 || port > 65_535 ? null : { host: name, port };
}

function refuse({ stderr }: CommandContext, message: string): ExitCode {
  stderr.write(`gopher-mcp: error: ${message}\n`);
  return EXIT.usage;
}
