import { readFile, stat } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { keyCommand } from '../../src/cli/key.command.js';
import type { CommandContext } from '../../src/cli/command-context.js';
import { runCommand } from '../../src/cli/run-command.js';
import { loadConfig } from '../../src/config/index.js';
import { FakeClock } from '../support/fake-clock.js';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';

let folder: TemporaryFolder;
let path: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  path = `${folder.path}/keys.json`;
});

afterEach(() => folder.remove());

const CREATE = ['create', '--tenant', 'acme', '--subject', 'bot', '--scope', 'smallweb:read'];

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs `gopher-mcp key ...` where the settings name the file. */
async function key(
  argv: readonly string[],
  env: Record<string, string> = { GOPHER_MCP_API_KEYS_FILE: path },
): Promise<Outcome> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const context: CommandContext = {
    version: '0',
    nodeVersion: '22.12.0',
    env,
    platform: process.platform,
    stdin: new PassThrough(),
    stdout,
    stderr,
    terminal: { columns: 80, hasColours: false, isInteractive: false, showsProgress: false },
    clock: new FakeClock(),
    signal: new AbortController().signal,
    loadConfig: () => Promise.resolve(loadConfig(env)),
    openServices: () => Promise.reject(new Error('no service is needed')),
    ask: () => Promise.resolve(null),
  };
  const code = await runCommand(keyCommand, argv, context);
  return { code, out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') };
}

describe('gopher-mcp key', () => {
  test('prints a key once and keeps only its hash, in a file for its owner alone', async () => {
    const { code, out, err } = await key(CREATE);
    expect(code).toBe(0);
    expect(out).toMatch(/^gmcp_[0-9a-f]{12}_[\w-]{43}\n$/);
    expect(err).not.toContain(out.slice(18, -1));
    const written = await readFile(path, 'utf8');
    expect(written).not.toContain(out.slice(18, -1));
    expect(JSON.parse(written)).toEqual({
      [out.slice(5, 17)]: {
        hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        tenant: 'acme',
        subject: 'bot',
        scopes: ['smallweb:read'],
        created: '2026-01-01T00:00:00.000Z',
        expires: null,
        revoked: null,
      },
    });
    if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test('lists keys without their hashes', async () => {
    const id = (await key([...CREATE, '--scope', 'smallweb:trust', '--expires', '90d'])).out.slice(5, 17);
    const { out } = await key(['list']);
    expect(out).toBe(`${id}  good  acme/bot  smallweb:read smallweb:trust  expires 2026-04-01T00:00:00.000Z\n`);
    const [listed] = JSON.parse((await key(['list', '--json', '--file', path], {})).out);
    expect(listed).toMatchObject({ id, state: 'good', tenant: 'acme' });
    expect(listed).not.toHaveProperty('hash');
  });

  test('revokes a key and keeps its record', async () => {
    const id = (await key(CREATE)).out.slice(5, 17);
    expect((await key(['revoke', id])).code).toBe(0);
    expect((await key(['revoke', id])).err).toContain('before');
    expect((await key(['list'])).out).toContain('revoked');
    expect((await key(['revoke', 'ffffffffffff'])).code).toBe(1);
  });

  test('does not repeat a whole key that is given for its id', async () => {
    const whole = (await key(CREATE)).out.trim();
    const { code, err } = await key(['revoke', whole]);
    expect([code, err.includes(whole.slice(18))]).toEqual([1, false]);
  });

  test.each([
    [['create', '--scope', 'smallweb:read']],
    [['create', '--subject', 'bot']],
    [['create', '--subject', 'bot', '--scope', 'everything']],
    [[...CREATE, '--expires', 'yesterday']],
    [[...CREATE, '--tenant', '../x']],
  ])('refuses %j and writes nothing', async (argv) => {
    expect((await key(argv)).code).toBe(2);
    await expect(stat(path)).rejects.toThrow('ENOENT');
  });

  test('wants to know the file', async () => {
    const { code, err } = await key(['list'], {});
    expect([code, err]).toEqual([2, expect.stringContaining('GOPHER_MCP_API_KEYS_FILE')]);
  });
});
