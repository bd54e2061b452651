import { describe, expect, test } from '@jest/globals';
import type { ToolAnswer } from '../../../src/cli/command-context.js';
import { parseEndpoint, trustCommand } from '../../../src/cli/trust.command.js';
import { answer, CommandBench, type BenchOptions, type CalledTool } from '../../support/command-bench.js';

const F = 'ab'.repeat(32);
const G = 'cd'.repeat(32);

const ENTRIES = [
  { host: 'a.example', port: 1965, fingerprint: F, last_seen: '2026-01-02T00:00:00Z', expires: '2027-01-01T00:00:00Z' },
  { host: 'long.a.example', port: 300, fingerprint: G, last_seen: '2026-01-03', expires: '2026-01-01', expired: true },
];

/** The trust tools as they answer: a change without consent is a question. */
function tool({ name, consent }: CalledTool): ToolAnswer {
  if (name === 'gemini_trust_list') return answer({ kind: 'trust_list', entries: ENTRIES });
  if (consent === 'unasked') return { kind: 'question', message: 'Really\u001b[2J?' };
  return answer({ kind: 'trust_update', message: 'Done.' });
}

const bench = (options: BenchOptions = {}): CommandBench => new CommandBench({ tool, ...options });
const changes = ({ calls }: CommandBench): CalledTool[] => calls.filter(({ name }) => name === 'gemini_trust_update');

describe('trust list', () => {
  test('shows endpoints, fingerprints and dates in columns', async () => {
    const world = bench();
    expect(await world.run(trustCommand, 'list', 'a.example')).toBe(0);
    expect(world.calls).toEqual([{ name: 'gemini_trust_list', args: { host: 'a.example' }, consent: 'unasked' }]);
    expect(world.stdout.split('\n')).toEqual([
      `a.example:1965      ${F}  last seen 2026-01-02T00:00:00Z  expires 2027-01-01T00:00:00Z`,
      `long.a.example:300  ${G}  last seen 2026-01-03            EXPIRED 2026-01-01`,
      '',
    ]);
    expect(world.open).toBe(0);
  });

  test('says that there is none', async () => {
    const world = bench({ tool: () => answer({ kind: 'trust_list', entries: [] }) });
    expect(await world.run(trustCommand, 'list')).toBe(0);
    expect(world.stdout).toBe('No certificate is pinned.\n');
  });

  test('is the payload with --json', async () => {
    const world = bench();
    expect(await world.run(trustCommand, 'list', '--json')).toBe(0);
    expect(JSON.parse(world.stdout)).toEqual({ kind: 'trust_list', entries: ENTRIES });
  });

  test.each([[[]], [['--json']]])('of pins that are turned off fails: %j', async (argv) => {
    const error = { code: 'TOFU_DISABLED', message: 'Off.', next_step: 'Set GEMINI_TOFU_ENABLED=true.' };
    const world = bench({ tool: () => answer({ kind: 'error', error }) });
    expect(await world.run(trustCommand, 'list', ...argv)).toBe(1);
    if (argv.length === 0) expect(world.stderr).toBe(`error: Off. [TOFU_DISABLED]\nnext step: ${error.next_step}\n`);
    else expect(JSON.parse(world.stdout)).toMatchObject({ error });
  });
});

describe('trust pin', () => {
  const argv = ['pin', 'a.example:1966', '--fingerprint', F];
  const args = { action: 'pin', host: 'a.example', port: 1966, fingerprint: F };

  test('asks the person, and carries out what was agreed to', async () => {
    const world = bench({ terminal: { isInteractive: true }, answers: [' Yes '] });
    expect(await world.run(trustCommand, ...argv)).toBe(0);
    expect(world.questions).toEqual([{ question: 'Really[2J? [y/N] ', isHidden: false }]);
    expect(world.calls.map(({ consent }) => consent)).toEqual(['unasked', 'given']);
    expect(world.calls[1]?.args).toEqual(args);
    expect(world.stdout).toBe('Done.\n');
  });

  test.each([['n'], [''], ['yess'], [null]])('changes nothing after the answer %j', async (typed) => {
    const world = bench({ terminal: { isInteractive: true }, answers: [typed] });
    expect(await world.run(trustCommand, ...argv)).toBe(1);
    expect(world.calls.map(({ consent }) => consent)).toEqual(['unasked']);
    expect(world.stderr).toBe('Nothing was changed.\n');
  });

  test('needs --yes where nobody can be asked', async () => {
    const world = bench();
    expect(await world.run(trustCommand, ...argv)).toBe(1);
    expect(world.questions).toEqual([]);
    expect(world.calls.map(({ consent }) => consent)).toEqual(['unasked']);
    expect(world.stderr).toContain('Really[2J?\nAdd --yes if you agree.\n');
  });

  test.each(['--yes', '-y'])('with %s asks nobody', async (yes) => {
    const world = bench({ terminal: { isInteractive: true } });
    expect(await world.run(trustCommand, ...argv, yes)).toBe(0);
    expect(world.questions).toEqual([]);
    expect(world.calls).toEqual([{ name: 'gemini_trust_update', args, consent: 'given' }]);
  });

  test('asks for the fingerprint where it is missing', async () => {
    const world = bench({ terminal: { isInteractive: true }, answers: [G, 'y'] });
    expect(await world.run(trustCommand, 'pin', 'a.example')).toBe(0);
    expect(world.questions[0]?.question).toBe('Fingerprint to pin: ');
    expect(changes(world)[1]?.args).toEqual({ action: 'pin', host: 'a.example', port: 1965, fingerprint: G });
  });

  test('without a fingerprint is refused where nobody can be asked', async () => {
    const world = bench();
    expect(await world.run(trustCommand, 'pin', 'a.example', '--yes')).toBe(2);
    expect(world.stderr).toContain('--fingerprint is missing');
    expect(world.calls).toEqual([]);
  });

  test('as JSON prints what came of it', async () => {
    const world = bench();
    expect(await world.run(trustCommand, ...argv, '--yes', '--json')).toBe(0);
    expect(JSON.parse(world.stdout)).toEqual({ kind: 'trust_update', message: 'Done.' });
  });
});

describe('trust remove', () => {
  test('without a fingerprint removes the pin that is there', async () => {
    const world = bench();
    expect(await world.run(trustCommand, 'remove', 'long.a.example:300', '--yes')).toBe(0);
    expect(changes(world).map(({ args }) => args)).toEqual([
      { action: 'remove', host: 'long.a.example', port: 300, fingerprint: G },
    ]);
  });

  test('with a fingerprint removes that one only', async () => {
    const world = bench();
    await world.run(trustCommand, 'remove', 'a.example', '--fingerprint', G, '--yes');
    expect(world.calls.map(({ args }) => args)).toEqual([
      { action: 'remove', host: 'a.example', port: 1965, fingerprint: G },
    ]);
  });

  test('of nothing changes nothing', async () => {
    const world = bench();
    expect(await world.run(trustCommand, 'remove', 'a.example:7', '--yes')).toBe(1);
    expect(world.stderr).toContain('there is no pin for port 7 of that host; nothing was changed');
    expect(changes(world)).toEqual([]);
  });

  test('that fails says why, in commands', async () => {
    const error = { code: 'FINGERPRINT_MISMATCH', message: 'Another.', next_step: 'See gemini_trust_list.' };
    const world = bench({ tool: () => answer({ kind: 'error', error }) });
    expect(await world.run(trustCommand, 'remove', 'a.example', '--fingerprint', G, '--yes')).toBe(1);
    expect(world.stderr).toBe('error: Another. [FINGERPRINT_MISMATCH]\nnext step: See "gopher-mcp trust list".\n');
  });
});

describe('HOST[:PORT]', () => {
  test.each([
    ['h', { host: 'h', port: 1965 }],
    ['h:1', { host: 'h', port: 1 }],
    ['h:65535', { host: 'h', port: 65_535 }],
    ['[::1]:300', { host: '::1', port: 300 }],
    ['[::1]', { host: '::1', port: 1965 }],
    ['::1', { host: '::1', port: 1965 }],
    ['h:0', null],
    ['h:65536', null],
    ['h:', null],
    ['h:x', null],
    ['h:1e3', null],
  ])('%s', (text, endpoint) => {
    expect(parseEndpoint(text)).toEqual(endpoint);
  });

  test('that is none is refused before anything is opened', async () => {
    const world = bench();
    expect(await world.run(trustCommand, 'remove', 'h:x', '--yes')).toBe(2);
    expect(world.stderr).toContain('the port must be an integer from 1 to 65535');
    expect(world.calls).toEqual([]);
  });
});
