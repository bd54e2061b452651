/** `gopher-mcp identity`: the client certificates shown to capsules, over the tools that a model has for them. */
import type { CommandGroup, RunnableCommand } from './command.js';
import { EXIT } from './command.js';
import { CHANGE_OPTIONS, confirmedChange } from './confirmed-change.js';
import { identityRekey } from './identity-rekey.command.js';
import { objectsField, textField } from './payload-fields.js';
import { payloadOf } from './payload-of.js';
import { printableLine } from './printable.js';
import { tableLines } from './table.js';
import { printJson, reportFailure } from './tool-messages.js';
import { withServices } from './with-services.js';

const list: RunnableCommand = {
  name: 'list',
  summary: 'list the stored identities, of one host or all',
  operands: [{ name: 'HOST', optional: true }],
  options: { json: { type: 'boolean', description: 'print what a model gets, as JSON' } },
  run: (context, args) =>
    withServices(context, async (services) => {
      const payload = await payloadOf(services, 'gemini_client_cert_list', { host: args.operands[0] ?? null });
      if (args.flag('json')) return printJson(context, payload);
      if (payload['kind'] === 'error') return reportFailure(context, payload);
      const rows = objectsField(payload, 'entries').map((entry) => [
        textField(entry, 'url'),
        textField(entry, 'fingerprint'),
        `${entry['expired'] === true ? 'EXPIRED' : 'valid until'} ${textField(entry, 'not_after')}`,
        entry['usable'] === false ? 'its key is missing' : '',
      ]);
      const lines = rows.length === 0 ? ['There is no identity.'] : tableLines(rows).map(printableLine);
      context.stdout.write(`${lines.join('\n')}\n`);
      return EXIT.ok;
    }),
};

const create: RunnableCommand = {
  name: 'create',
  summary: 'make an identity for a URL, shown there and everywhere below',
  details: 'A URL without a path covers the whole capsule.',
  operands: [{ name: 'URL' }],
  options: {
    'key-type': {
      type: 'string',
      choices: ['rsa', 'ec'],
      description: 'RSA 2048, which every server takes (default), or EC P-256',
    },
    ...CHANGE_OPTIONS,
  },
  run: (context, args) => {
    const call = { action: 'create', url: args.operand(0), key_type: args.text('key-type') ?? 'rsa' };
    return withServices(context, (services) =>
      confirmedChange(context, args, services, ['gemini_client_cert_update', call]),
    );
  },
};

const remove: RunnableCommand = {
  name: 'remove',
  summary: 'destroy an identity and its key for good',
  operands: [{ name: 'URL' }],
  options: {
    fingerprint: { type: 'string', value: 'F', description: 'fingerprint of the identity, as "list" shows it' },
    ...CHANGE_OPTIONS,
  },
  run: async (context, args) => {
    const fingerprint = args.text('fingerprint');
    if (fingerprint === null) {
      context.stderr.write('gopher-mcp: error: --fingerprint is missing; "gopher-mcp identity list" shows it\n');
      return EXIT.usage;
    }
    const call = { action: 'remove', url: args.operand(0), fingerprint };
    return withServices(context, (services) =>
      confirmedChange(context, args, services, ['gemini_client_cert_update', call]),
    );
  },
};

/** See the file's header. */
export const identityCommand: CommandGroup = {
  name: 'identity',
  summary: 'list, make and remove client identities for Gemini capsules',
  details: `An identity is a certificate that is shown to one capsule, or a part of it, and links all visits made with
it. Its key never leaves this machine.`,
  commands: [list, create, remove, identityRekey],
};
