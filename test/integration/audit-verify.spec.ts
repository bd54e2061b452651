/** `gopher-mcp audit verify` over files as a server leaves them. */
import { PassThrough } from 'node:stream';
import { readFile, rename, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { SystemClock } from '../../src/clock/system-clock.js';
import { openAudit } from '../../src/bin/open-audit.js';
import { auditCommand } from '../../src/cli/audit.command.js';
import type { CommandContext } from '../../src/cli/command-context.js';
import { runCommand } from '../../src/cli/run-command.js';
import { loadConfig } from '../../src/config/index.js';
import { memoryLog } from '../support/memory-log.js';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';

const KEY = 'ab'.repeat(32);

let folder: TemporaryFolder;
let file: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  file = path.join(folder.path, 'audit.jsonl');
});

afterEach(() => folder.remove());

function configOf(env: Record<string, string>) {
  const loaded = loadConfig(env);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  return loaded.value;
}

/** A run of the server that turns one request away: three lines. */
async function serve(env: Record<string, string> = {}): Promise<void> {
  const { audit } = configOf({ GOPHER_MCP_AUDIT_FILE: file, GOPHER_MCP_AUDIT_CHAIN: 'true', ...env });
  const trail = await openAudit(file, audit, { clock: new SystemClock(), log: memoryLog(), version: '1' });
  if (!trail.ok) throw new Error(JSON.stringify(trail.error));
  const origin = { address: '192.0.2.1', requestId: 'r' };
  trail.value.turnedAway({ why: 'authentication', reason: 'no credentials', status: 401, origin });
  await trail.value.close();
}

async function verify(argv: readonly string[], env: Record<string, string> = {}) {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const context: Pick<CommandContext, 'stdout' | 'stderr' | 'loadConfig'> = {
    stdout,
    stderr,
    loadConfig: () => Promise.resolve(loadConfig(env)),
  };
  const code = await runCommand(auditCommand, ['verify', ...argv], context as CommandContext);
  const read = (stream: PassThrough): string => String(stream.read() ?? '');
  return { code, out: read(stdout), err: read(stderr) };
}

test('what a server wrote fits, over restarts and moved files', async () => {
  await serve();
  await serve();
  await rename(file, `${file}.1`);
  await serve();
  expect(await verify([`${file}.1`, file])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^ok: 9 lines, 1 to 9, /),
  });
  expect(await verify([file])).toMatchObject({ code: 0, out: expect.stringMatching(/^ok: 3 lines, 7 to 9, /) });
  expect((await verify([file, `${file}.1`])).code).toBe(1);
});

test('the file and the key are those of the settings', async () => {
  const env = { GOPHER_MCP_AUDIT_FILE: file, GOPHER_MCP_AUDIT_CHAIN: '1', GOPHER_MCP_AUDIT_KEY: KEY };
  await serve(env);
  expect((await verify([], env)).code).toBe(0);
  expect(await verify([file])).toMatchObject({
    code: 1,
    out: `broken: ${file}, line 1: it was changed, or the key is another one\n`,
  });
});

test('a changed line is named by its file and its number there', async () => {
  await serve();
  await rename(file, `${file}.1`);
  await serve();
  await writeFile(file, (await readFile(file, 'utf8')).replace('192.0.2.1', '192.0.2.2'));
  expect(await verify([`${file}.1`, file])).toEqual({
    code: 1,
    out: `broken: ${file}, line 2: it was changed, or the key is another one\n`,
    err: '',
  });
});

test('lines that are missing at the end are counted', async () => {
  await serve();
  const text = await readFile(file, 'utf8');
  await truncate(file, text.indexOf('\n') + 1);
  expect(await verify([file])).toMatchObject({
    code: 1,
    out: 'broken: 2 lines are missing at the end, after number 1\n',
  });
});

test('a hash that was noted elsewhere finds a file that was cut together with its note', async () => {
  await serve();
  const hash = /last hash ([0-9a-f]{64})/.exec((await verify([file])).out)?.[1] ?? '';
  expect((await verify(['--contains', hash, file])).code).toBe(0);
  const text = await readFile(file, 'utf8');
  await truncate(file, text.indexOf('\n') + 1);
  await writeFile(`${file}.head`, '');
  expect((await verify([file])).code).toBe(0);
  expect(await verify(['--contains', hash, file])).toMatchObject({
    code: 1,
    out: expect.stringContaining('no line has the hash'),
  });
});

test('a file without a chain is not taken for a whole one', async () => {
  await serve({ GOPHER_MCP_AUDIT_CHAIN: 'false' });
  expect(await verify([file])).toMatchObject({
    code: 1,
    out: `broken: ${file}, line 1: it has no hash, or its end is missing\n`,
  });
  await writeFile(file, '');
  expect(await verify([file])).toMatchObject({ code: 1, out: 'broken: there is no line with a hash\n' });
});

test.each([
  ['a file that is not there', () => [path.join(folder.path, 'none')], /cannot be read \(ENOENT\)/],
  ['no file at all', () => [], /name a file/],
])('%s is a mistake of whoever asks', async (_what, argv, message) => {
  expect(await verify(argv())).toMatchObject({ code: 2, out: '', err: expect.stringMatching(message) });
});
