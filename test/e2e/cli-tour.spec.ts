/** The tour of `gopher-mcp demo`: what a new user does in the first five minutes, with the built program and without a network. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Program } from '../support/program.js';
import {
  makeScratchFolder,
  removeScratchFolder,
  serverCommand,
  serverEnvironment,
} from '../support/server-under-test.js';

/** What a terminal acts on, line feeds excepted. */

const ACTED_ON = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;

const { program, args: entry } = serverCommand();

let home: string;
let demo: Program;
let gopher: string;
let gemini: string;
let settings: Record<string, string>;

/** Runs a command to its end. */
function run(...args: readonly string[]): { stdout: string; stderr: string; status: number | null } {
  const { stdout, stderr, status } = spawnSync(program, [...entry, ...args], {
    cwd: home,
    env: serverEnvironment(home, { ...settings, GOPHER_REQUESTS_PER_MINUTE: '0', GEMINI_REQUESTS_PER_MINUTE: '0' }),
    encoding: 'utf8',
    timeout: 30_000,
  });
  return { stdout, stderr, status };
}

beforeAll(async () => {
  home = await makeScratchFolder();
  demo = await Program.start(program, [...entry, 'demo', '--gopher-port', '0', '--gemini-port', '0'], {
    cwd: home,
    env: serverEnvironment(home),
  });
  await demo.until(() => demo.output.includes('identity create'));
  gopher = /gopher:\/\/\S+/.exec(demo.output)?.[0] ?? '';
  gemini = /gemini:\/\/\S+/.exec(demo.output)?.[0] ?? '';
  // The person copies the lines that the demo shows.
  const lines = demo.output.matchAll(/^ {2}(?:export|set) ([A-Z_]+)=(.*)$/gm);
  settings = Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]));
});

afterAll(async () => {
  await demo.stop();
  await removeScratchFolder(home);
});

describe('the Gopher hole', () => {
  test('greets with a menu of numbered links', () => {
    const { stdout, status } = run('fetch', gopher);
    expect(status).toBe(0);
    expect(stdout).toContain('Welcome to the demo hole');
    expect(stdout).toContain(`text file [1] About this hole  ${gopher}0/about.txt`);
    expect(stdout).toContain(`search [3] Search this hole  ${gopher}7/search`);
    expect(stdout).toContain(gemini);
  });

  test('has an item of every type', () => {
    const { stdout } = run('fetch', `${gopher}1/types`, '--json');
    const { items } = JSON.parse(stdout) as { items: { type: string }[] };
    const types = new Set(items.map(({ type }) => type));
    for (const type of '2345689+TgIihdsP;p:<M') expect([type, types.has(type)]).toEqual([type, true]);
  });

  test('is searched', () => {
    const { stdout, status } = run('fetch', `${gopher}7/search`, '--search', 'menu');
    expect(status).toBe(0);
    expect(stdout).toContain('[1] A menu is a map');
  });

  test('has a long text that says how to go on', () => {
    const { stderr } = run('fetch', `${gopher}0/large.txt`);
    const offset = /the page goes on: gopher-mcp fetch \S+ --offset (\d+)/.exec(stderr)?.[1] ?? '';
    expect(run('fetch', `${gopher}0/large.txt`, '--offset', offset).stdout).toContain('of 4000.');
  });

  test('keeps its robots.txt', () => {
    const { stdout, stderr, status } = run('fetch', `${gopher}0/private/diary.txt`);
    expect(status).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain('[BLOCKED_BY_ROBOTS]');
    expect(stderr).toContain('next step:');
  });

  test('can do nothing to the terminal', () => {
    const { stdout } = run('fetch', `${gopher}0/escapes.txt`);
    expect(stdout).not.toMatch(ACTED_ON);
    expect(stdout).toContain('[red]');
  });
});

describe('the Gemini capsule', () => {
  test('is pinned at the first visit', () => {
    const first = run('fetch', gemini);
    expect(first.stdout).toContain('# The demo capsule of gopher-mcp');
    expect(first.stderr).toContain('its certificate is now pinned');
    expect(run('trust', 'list', '127.0.0.1').stdout).toMatch(
      /^127\.0\.0\.1:\d+ +[0-9a-f]{64} +last seen \S+ +expires \S+\n$/,
    );
  });

  test('refuses after somebody pinned another certificate, and is trusted again after that pin is removed', () => {
    const endpoint = new URL(gemini).host;
    run('fetch', gemini);
    expect(run('trust', 'pin', endpoint, '--fingerprint', '0'.repeat(64), '--yes').status).toBe(0);
    const refused = run('fetch', gemini, '--refresh');
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain('[CERTIFICATE_CHANGED]');
    expect(refused.stderr).toContain('"gopher-mcp trust pin"');
    expect(run('trust', 'remove', endpoint).stderr).toContain('Add --yes if you agree.');
    expect(run('trust', 'remove', endpoint, '--yes').status).toBe(0);
    expect(run('fetch', gemini).status).toBe(0);
  });

  test('asks, and takes the answer', () => {
    const asked = run('fetch', `${gemini}ask`);
    expect(asked.stdout).toContain('What is your favourite burrowing animal?');
    expect(asked.stderr).toContain(`answer with: gopher-mcp fetch ${gemini}ask --input TEXT`);
    expect(run('fetch', `${gemini}ask`, '--input', 'mole & co').stdout).toContain('You said: mole & co');
  });

  test('can do nothing to the terminal', () => {
    const { stdout } = run('fetch', `${gemini}escapes`);
    expect(stdout).not.toMatch(ACTED_ON);
    expect(stdout).toContain('[red]');
  });

  test('says where it redirects to', () => {
    expect(run('fetch', `${gemini}redirect`).stderr).toContain(`go on with: gopher-mcp fetch ${gemini}lines`);
  });

  test('has a gemlog with feeds', () => {
    expect(run('fetch', `${gemini}gemlog/`).stdout).toContain('[1] 2026-11-20 On small pages');
    expect(run('fetch', `${gemini}gemlog/atom.xml`).stdout).toContain('<feed xmlns="http://www.w3.org/2005/Atom">');
  });

  test('lets those in whose identity it knows', () => {
    const zone = `${gemini}members/`;
    const closed = run('fetch', zone);
    expect(closed.status).toBe(1);
    expect(closed.stderr).toContain(`gopher-mcp identity create ${zone}`);
    expect(run('identity', 'create', zone).status).toBe(1);
    expect(run('identity', 'create', zone, '--key-type', 'ec', '--yes').status).toBe(0);
    expect(run('fetch', zone).stdout).toContain('Welcome back.');
    const fingerprint = /[0-9a-f]{64}/.exec(run('identity', 'list').stdout)?.[0] ?? '';
    expect(run('identity', 'remove', zone, '--fingerprint', fingerprint, '--yes').status).toBe(0);
    expect(run('identity', 'list').stdout).toBe('There is no identity.\n');
  });
});

describe('the program', () => {
  test('names the command that was meant', () => {
    const { stderr, status } = run('fetc', gopher);
    expect(stderr).toContain('unknown command "fetc"; did you mean "fetch"?');
    expect(status).toBe(2);
  });

  test('finds nothing wrong with this machine that is worse than a warning', () => {
    const { stdout, status } = run('doctor', '--json');
    const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: { name: string; level: string }[] };
    expect(findings.filter(({ level }) => level === 'fail')).toEqual([]);
    expect([ok, status]).toEqual([true, 0]);
    expect(findings.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Node.js', 'settings', 'pins', 'identities', 'names']),
    );
  });
});

test('the demo ends at Ctrl+C and leaves nothing behind', async () => {
  const other = await Program.start(program, [...entry, 'demo', '--gopher-port', '0', '--gemini-port', '0'], {
    cwd: home,
    env: serverEnvironment(home),
  });
  await other.until(() => other.output.includes('identity create'));
  const folder = dirname(/TOFU_STORAGE_PATH=(.*)/.exec(other.output)?.[1] ?? '');
  expect(existsSync(folder)).toBe(true);
  expect(await other.stop('SIGINT')).toBe(0);
  expect(existsSync(folder)).toBe(false);
});
