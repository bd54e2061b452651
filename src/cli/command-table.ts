/** All commands of a person, in the order in which they are listed. A command is a file of its own, loaded when it is asked for. */
import type { Command, CommandRow } from './command.js';

/** See the file's header. */
export const COMMAND_TABLE: readonly CommandRow[] = [
  {
    name: 'fetch',
    summary: 'show a Gopher or Gemini page',
    load: async () => (await import('./fetch.command.js')).fetchCommand,
  },
  {
    name: 'trust',
    summary: 'list, set and remove certificate pins of Gemini servers',
    load: async () => (await import('./trust.command.js')).trustCommand,
  },
  {
    name: 'identity',
    summary: 'list, make and remove client identities for Gemini capsules',
    load: async () => (await import('./identity.command.js')).identityCommand,
  },
  {
    name: 'key',
    summary: 'make, list and revoke the API keys of a gateway',
    load: async () => (await import('./key.command.js')).keyCommand,
  },
  {
    name: 'store',
    summary: 'export, import and migrate pins and identities',
    load: async () => (await import('./store.command.js')).storeCommand,
  },
  {
    name: 'doctor',
    summary: 'check this machine: settings, stores, names, ports',
    load: async () => (await import('./doctor.command.js')).doctorCommand,
  },
  {
    name: 'demo',
    summary: 'serve sample pages on this machine, to try everything offline',
    load: async () => (await import('./demo.command.js')).demoCommand,
  },
  {
    name: 'audit',
    summary: 'check the chain of hashes over audit lines',
    load: async () => (await import('./audit.command.js')).auditCommand,
  },
  {
    name: 'completion',
    summary: 'print the completion script of a shell',
    load: async () => (await import('./completion.command.js')).completionCommand(allCommands),
  },
];

/** The commands in full, in the same order. */
export async function allCommands(): Promise<Command[]> {
  const commands: Command[] = [];
  for (const { load } of COMMAND_TABLE) commands.push(await load());
  return commands;
}
