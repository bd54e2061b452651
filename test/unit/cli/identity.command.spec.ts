import { describe, expect, test } from '@jest/globals';
import type { ToolAnswer } from '../../../src/cli/command-context.js';
import { identityCommand } from '../../../src/cli/identity.command.js';
import { answer, CommandBench, type CalledTool } from '../../support/command-bench.js';

const F = 'ab'.repeat(32);
const URL_OF_ZONE = 'gemini://a.example/members/';

const ENTRIES = [
  { url: URL_OF_ZONE, fingerprint: F, not_after: '2036-01-01', usable: true },
  { url: 'gemini://b/', fingerprint: F, not_after: '2020-01-01', expired: true, usable: false },
];

function tool({ name, consent }: CalledTool): ToolAnswer {
  if (name === 'gemini_client_cert_list') return answer({ kind: 'client_cert_list', entries: ENTRIES });
  if (consent === 'unasked') return { kind: 'question', message: 'Really?' };
  return answer({ kind: 'client_cert_update', message: 'Done.' });
}

describe('identity list', () => {
  test('shows what is kept for whom, until when, and what cannot be used', async () => {
    const world = new CommandBench({ tool });
    expect(await world.run(identityCommand, 'list', 'a.example')).toBe(0);
    expect(world.calls).toEqual([{ name: 'gemini_client_cert_list', args: { host: 'a.example' }, consent: 'unasked' }]);
    expect(world.stdout.split('\n')).toEqual([
      `${URL_OF_ZONE}  ${F}  valid until 2036-01-01`,
      `gemini://b/                  ${F}  EXPIRED 2020-01-01      its key is missing`,
      '',
    ]);
  });

  test('says that there is none', async () => {
    const world = new CommandBench({ tool: () => answer({ kind: 'client_cert_list', entries: [] }) });
    await world.run(identityCommand, 'list');
    expect(world.stdout).toBe('There is no identity.\n');
  });

  test('is the payload with --json', async () => {
    const world = new CommandBench({ tool });
    expect(await world.run(identityCommand, 'list', '--json')).toBe(0);
    expect(JSON.parse(world.stdout)).toEqual({ kind: 'client_cert_list', entries: ENTRIES });
  });

  test('of identities that are turned off fails', async () => {
    const error = { code: 'CLIENT_CERTS_DISABLED', message: 'Off.' };
    const world = new CommandBench({ tool: () => answer({ kind: 'error', error }) });
    expect(await world.run(identityCommand, 'list')).toBe(1);
    expect(world.stderr).toBe('error: Off. [CLIENT_CERTS_DISABLED]\n');
  });
});

describe('a change', () => {
  const CREATE = ['create', URL_OF_ZONE];
  const REMOVE = ['remove', URL_OF_ZONE, '--fingerprint', F];

  test.each([
    [CREATE, { action: 'create', url: URL_OF_ZONE, key_type: 'rsa' }],
    [[...CREATE, '--key-type', 'ec'], { action: 'create', url: URL_OF_ZONE, key_type: 'ec' }],
    [REMOVE, { action: 'remove', url: URL_OF_ZONE, fingerprint: F }],
  ])('%j is carried out after a yes', async (argv, args) => {
    const world = new CommandBench({ tool, terminal: { isInteractive: true }, answers: ['y'] });
    expect(await world.run(identityCommand, ...argv)).toBe(0);
    expect(world.calls).toEqual([
      { name: 'gemini_client_cert_update', args, consent: 'unasked' },
      { name: 'gemini_client_cert_update', args, consent: 'given' },
    ]);
    expect(world.stdout).toBe('Done.\n');
    expect(world.open).toBe(0);
  });

  test.each([[CREATE], [REMOVE]])('%j is not carried out after a no', async (argv) => {
    const world = new CommandBench({ tool, terminal: { isInteractive: true }, answers: ['no'] });
    expect(await world.run(identityCommand, ...argv)).toBe(1);
    expect(world.calls.map(({ consent }) => consent)).toEqual(['unasked']);
    expect(world.stderr).toBe('Nothing was changed.\n');
  });

  test.each([[CREATE], [REMOVE]])('%j needs --yes where nobody can be asked', async (argv) => {
    const [without, with_] = [new CommandBench({ tool }), new CommandBench({ tool })];
    expect(await without.run(identityCommand, ...argv)).toBe(1);
    expect(without.stderr).toContain('Add --yes if you agree.');
    expect(await with_.run(identityCommand, ...argv, '--yes')).toBe(0);
    expect(with_.calls.map(({ consent }) => consent)).toEqual(['given']);
  });

  test.each([
    [['create'], 'URL is missing'],
    [[...CREATE, '--key-type', 'dsa'], '--key-type must be one of rsa, ec'],
    [['remove', URL_OF_ZONE, '--yes'], '--fingerprint is missing; "gopher-mcp identity list" shows it'],
  ])('%j is refused before anything is opened', async (argv, message) => {
    const world = new CommandBench({ tool });
    expect(await world.run(identityCommand, ...argv)).toBe(2);
    expect(world.stderr).toContain(message);
    expect(world.calls).toEqual([]);
  });

  test('that fails says why, in commands', async () => {
    const error = {
      code: 'CERTIFICATE_EXISTS',
      message: 'There is one.',
      next_step: 'Look at gemini_client_cert_list.',
    };
    const world = new CommandBench({ tool: () => answer({ kind: 'error', error }) });
    expect(await world.run(identityCommand, ...CREATE, '--yes')).toBe(1);
    expect(world.stderr).toBe(
      'error: There is one. [CERTIFICATE_EXISTS]\nnext step: Look at "gopher-mcp identity list".\n',
    );
  });
});
