/** `gopher-mcp store` and `identity rekey` over real stores: what goes out comes back, and nothing is overwritten unasked. */
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { identityCommand } from '../../src/cli/identity.command.js';
import type { Command } from '../../src/cli/command.js';
import { runCommand } from '../../src/cli/run-command.js';
import { storeCommand } from '../../src/cli/store.command.js';
import { openLog } from '../../src/logging/index.js';
import { TOOL_TABLE } from '../../src/mcp/tool-table.js';
import { buildServiceGraph } from '../../src/service-graph.js';
import { AesKeySealer } from '../../src/cert/io/aes-key-sealer.js';
import { CommandBench } from '../support/command-bench.js';
import { RedisServer } from '../support/redis-server.js';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';

jest.setTimeout(60_000);

const STATE_KEY = 'ab'.repeat(32);
const KEY_ID = '0123456789abcdef0123456789abcdef';
const FINGERPRINT = 'aa'.repeat(32);
/** What a file of gopher-mcp 0.10 may hold, and members of a later version. */
const PINS = {
  'a.example:1965': {
    host: 'a.example',
    port: 1965,
    fingerprint: FINGERPRINT,
    first_seen: 1_700_000_000.25,
    last_seen: 1_700_000_001.123456,
    expires: null,
    later: { list: [0.1, 'x', null], nested: { empty: {} } },
  },
  '::1:1966': {
    host: '::1',
    port: 1966,
    fingerprint: 'bb'.repeat(32),
    first_seen: 1,
    last_seen: 2,
    expires: 3.5,
    spki: 'ee'.repeat(32),
  },
};
const RECORD = {
  fingerprint: `sha256:${FINGERPRINT}`,
  subject: 'O=o,CN=c',
  issuer: 'O=o,CN=c',
  not_before: '2026-01-01T00:00:00+00:00',
  not_after: '2027-01-01T00:00:00+00:00',
  host: 'a.example',
  port: 1965,
  path: '/app/',
  key_id: KEY_ID,
  later: ['kept'],
};
const SCOPE_KEY = 'a.example:1965/app/';

let server: RedisServer;
let folder: TemporaryFolder;

beforeAll(async () => {
  // One after the other: the test runner does not stand modules that load each other at the same time.
  for (const tool of TOOL_TABLE) await tool.load();
  server = await RedisServer.start();
});
afterAll(() => server.close());
beforeEach(async () => {
  if (!server.isRunning) await server.restart();
  folder = await temporaryFolder();
  await server.command('FLUSHALL');
});
afterEach(() => folder.remove());

/** Settings of a server whose files lie in a folder of this name. */
function files(name: string, stateKey: string | null = STATE_KEY): Record<string, string> {
  return {
    GEMINI_TOFU_STORAGE_PATH: join(folder.path, name, 'tofu.json'),
    GEMINI_CLIENT_CERTS_STORAGE_PATH: join(folder.path, name, 'certs'),
    ...(stateKey === null ? {} : { GOPHER_MCP_STATE_KEY: stateKey }),
  };
}

function withRedis(name: string): Record<string, string> {
  return { ...files(name), GOPHER_MCP_REDIS_URL: server.url };
}

async function run(command: Command, env: Record<string, string>, ...argv: readonly string[]) {
  const bench = new CommandBench({ env });
  const code = await runCommand(command, argv, {
    ...bench.context,
    openServices: async (config) => {
      const opened = openLog({ logLevel: 'CRITICAL', structuredLogging: false, logFilePath: null });
      if (!opened.ok) throw new Error('no log');
      const machine = { env: {}, platform: process.platform };
      const graph = await buildServiceGraph({
        version: '0',
        config,
        log: opened.value.log,
        machine,
        tools: TOOL_TABLE,
        templates: [],
      });
      return {
        get: (token) => graph.get(token),
        close: () => graph.close(),
        callTool: () => Promise.reject(new Error()),
      };
    },
  });
  return { code, out: bench.stdout, err: bench.stderr };
}

/** Makes the stores of a folder as they would have grown. */
async function fill(name: string, key: string): Promise<void> {
  const base = join(folder.path, name);
  for (const certs of [join(base, 'certs'), join(base, 'certs', 'tenants', 'acme')]) {
    await mkdir(certs, { recursive: true });
    await writeFile(join(certs, 'registry.json'), JSON.stringify({ [SCOPE_KEY]: RECORD }));
    await writeFile(join(certs, `${KEY_ID}.crt`), 'certificate\n');
    await writeFile(join(certs, `${KEY_ID}.key`), key);
  }
  await writeFile(join(base, 'tofu.json'), JSON.stringify(PINS));
}

async function read(name: string, ...parts: readonly string[]): Promise<string> {
  return readFile(join(folder.path, name, ...parts), 'utf8');
}

/** Pins, identities and private keys of a folder. */
async function contents(name: string): Promise<unknown> {
  const certs = async (...below: readonly string[]): Promise<unknown> => {
    const key = new AesKeySealer(STATE_KEY).open(KEY_ID, await read(name, 'certs', ...below, `${KEY_ID}.key`));
    return {
      registry: JSON.parse(await read(name, 'certs', ...below, 'registry.json')),
      certificate: await read(name, 'certs', ...below, `${KEY_ID}.crt`),
      key: key.ok ? key.value : null,
    };
  };
  return {
    pins: JSON.parse(await read(name, 'tofu.json')),
    local: await certs(),
    acme: await certs('tenants', 'acme'),
  };
}

const WHOLE = { registry: { [SCOPE_KEY]: RECORD }, certificate: 'certificate\n', key: 'private\n' };
const EVERYTHING = { pins: PINS, local: WHOLE, acme: WHOLE };

describe('what is exported', () => {
  test('is imported elsewhere without a loss, private keys encrypted all the way', async () => {
    await fill('one', 'private\n');
    const file = join(folder.path, 'export.json');
    expect(await run(storeCommand, files('one'), 'export', file)).toEqual({
      code: 0,
      out: '',
      err: 'Exported 2 pins and 2 identities.\n',
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const text = await readFile(file, 'utf8');
    expect(text).toContain('gopher-mcp-key:1:');
    expect(text).not.toContain('private\\n');
    expect(text).not.toContain(STATE_KEY);
    expect(await run(storeCommand, files('two'), 'import', file)).toEqual({
      code: 0,
      out: 'pins: 2 added, 0 unchanged, 0 merged, 0 replaced, 0 differs\nidentities: 2 added, 0 unchanged, 0 replaced, 0 differs, 0 incomplete, 0 sealed\n',
      err: '',
    });
    expect(await contents('two')).toEqual(EVERYTHING);
    expect(await read('two', 'certs', `${KEY_ID}.key`)).toMatch(/^gopher-mcp-key:1:/);
    const again = await run(storeCommand, files('two'), 'import', file);
    expect(again).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^pins: 0 added, 2 unchanged.*\n.*0 added, 2 unch/),
    });
  });

  test('holds no plain key unless that is asked for', async () => {
    await fill('one', 'private\n');
    const refused = await run(storeCommand, files('one', null), 'export');
    expect(refused).toMatchObject({ code: 2, out: '', err: expect.stringContaining('--plain-keys') });
    const plain = await run(storeCommand, files('one', null), 'export', '--plain-keys');
    expect(plain.code).toBe(0);
    expect(plain.out).toContain('private\\n');
  });

  test('does not leave out an identity whose key does not open: nothing is exported', async () => {
    await fill('one', new AesKeySealer('cd'.repeat(32)).seal(KEY_ID, 'private\n'));
    const { code, out, err } = await run(storeCommand, files('one'), 'export');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('gemini://a.example/app/ of tenant acme');
  });

  test('never overwrites a file', async () => {
    await fill('one', 'private\n');
    const file = join(folder.path, 'there');
    await writeFile(file, 'mine');
    expect((await run(storeCommand, files('one'), 'export', file)).code).toBe(2);
    expect(await readFile(file, 'utf8')).toBe('mine');
  });
});

describe('an import', () => {
  const otherPin = { ...PINS['a.example:1965'], fingerprint: 'cc'.repeat(32) };

  async function exported(): Promise<string> {
    await fill('one', 'private\n');
    const file = join(folder.path, 'export.json');
    await run(storeCommand, files('one'), 'export', file);
    return file;
  }

  async function fillTwo(): Promise<void> {
    await fill('two', 'other\n');
    await writeFile(join(folder.path, 'two', 'tofu.json'), JSON.stringify({ ...PINS, 'a.example:1965': otherPin }));
    const other = { ...RECORD, fingerprint: `sha256:${'cc'.repeat(32)}` };
    await writeFile(join(folder.path, 'two', 'certs', 'registry.json'), JSON.stringify({ [SCOPE_KEY]: other }));
  }

  test('leaves a different pin and a different identity in place, and names them', async () => {
    const file = await exported();
    await fillTwo();
    const { code, out, err } = await run(storeCommand, files('two'), 'import', file);
    expect(code).toBe(1);
    expect(out).toBe(
      'pins: 0 added, 1 unchanged, 0 merged, 0 replaced, 1 differs\nidentities: 0 added, 1 unchanged, 0 replaced, 1 differs, 0 incomplete, 0 sealed\n',
    );
    expect(err).toContain('left out: the pin of a.example:1965');
    expect(err).toContain('left out: the identity for gemini://a.example/app/ of tenant local');
    expect(JSON.parse(await read('two', 'tofu.json'))).toMatchObject({ 'a.example:1965': otherPin });
    expect(await read('two', 'certs', `${KEY_ID}.key`)).toBe('other\n');
  });

  test('puts them in place with --replace', async () => {
    const file = await exported();
    await fillTwo();
    expect(await run(storeCommand, files('two'), 'import', file, '--replace')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/1 replaced.*\n.*1 replaced/),
    });
    expect(JSON.parse(await read('two', 'tofu.json'))).toEqual(PINS);
    expect(await read('two', 'certs', `${KEY_ID}.key`)).toMatch(/^gopher-mcp-key:1:/);
  });

  test('leaves out keys that need another state key, and nothing else', async () => {
    const file = await exported();
    const { code, out, err } = await run(storeCommand, files('two', 'cd'.repeat(32)), 'import', file);
    expect(code).toBe(1);
    expect(out).toMatch(/^pins: 2 added.*\nidentities: 0 added.* 2 sealed\n$/);
    expect(err).toContain('GOPHER_MCP_STATE_KEY');
  });

  test.each([
    ['no JSON', '{'],
    ['something else', '{"mcpServers":{}}'],
    ['a later version', '{"format":"gopher-mcp store","version":2}'],
    ['a pin without fingerprint', '{"format":"gopher-mcp store","version":1,"pins":{"a:1":{"host":"a"}}}'],
    ['a tenant that can be none', '{"format":"gopher-mcp store","version":1,"identities":{"../x":[]}}'],
    ['an identity without record', '{"format":"gopher-mcp store","version":1,"identities":{"local":[{}]}}'],
  ])('of %s changes nothing', async (_, text) => {
    const file = join(folder.path, 'bad.json');
    await writeFile(file, text);
    expect(await run(storeCommand, files('two'), 'import', file)).toMatchObject({ code: 2, out: '' });
    expect(await readdir(folder.path)).toEqual(['bad.json']);
  });
});

describe('a migration', () => {
  test('to Redis and back to other files loses nothing', async () => {
    await fill('one', 'private\n');
    expect(await run(storeCommand, withRedis('one'), 'migrate', 'redis')).toMatchObject({ code: 0, err: '' });
    expect(await contents('one')).toEqual(EVERYTHING);
    expect(await run(storeCommand, withRedis('two'), 'migrate', 'files')).toMatchObject({ code: 0, err: '' });
    expect(await contents('two')).toEqual(EVERYTHING);
  });

  test('needs Redis in the settings', async () => {
    expect(await run(storeCommand, files('one'), 'migrate', 'redis')).toMatchObject({
      code: 2,
      err: expect.stringContaining('GOPHER_MCP_REDIS_URL'),
    });
  });

  test('fails when Redis does not answer, and can be done again', async () => {
    await fill('one', 'private\n');
    await server.stop();
    const failed = await run(storeCommand, withRedis('one'), 'migrate', 'redis');
    await server.restart();
    expect(failed).toMatchObject({ code: 1, err: expect.stringContaining('CERTIFICATE_STORE_UNAVAILABLE') });
    expect(await run(storeCommand, withRedis('one'), 'migrate', 'redis')).toMatchObject({ code: 0 });
  });
});

describe('identity rekey', () => {
  test('goes from plain to encrypted, to another key, and back with --decrypt', async () => {
    await fill('one', 'private\n');
    const next = 'cd'.repeat(32);
    expect(await run(identityCommand, files('one'), 'rekey')).toMatchObject({
      code: 0,
      out: '2 private keys were encrypted with the present key, 0 were already.\n',
    });
    const both = { ...files('one', next), GOPHER_MCP_STATE_KEY_OLD: STATE_KEY };
    expect(await run(identityCommand, both, 'rekey')).toMatchObject({ code: 0 });
    const old = { ...files('one', null), GOPHER_MCP_STATE_KEY_OLD: next };
    expect(await run(identityCommand, old, 'rekey', '--decrypt')).toMatchObject({ code: 0 });
    expect(await read('one', 'certs', `${KEY_ID}.key`)).toBe('private\n');
  });

  test.each([
    ['--decrypt beside a state key', STATE_KEY, ['--decrypt']],
    ['no state key without --decrypt', null, []],
  ])('refuses %s', async (_, stateKey, flags) => {
    await fill('one', 'private\n');
    expect((await run(identityCommand, files('one', stateKey), 'rekey', ...flags)).code).toBe(2);
    expect(await read('one', 'certs', `${KEY_ID}.key`)).toBe('private\n');
  });

  test('tells which keys it had to leave', async () => {
    await fill('one', new AesKeySealer('ee'.repeat(32)).seal(KEY_ID, 'private\n'));
    const { code, err } = await run(identityCommand, files('one'), 'rekey');
    expect(code).toBe(1);
    expect(err.match(/left as it was/g)).toHaveLength(2);
  });
});
