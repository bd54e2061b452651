import { describe, expect, test } from '@jest/globals';
import { doctorCommand, examine, report } from '../../../src/cli/doctor.command.js';
import { checkMachine } from '../../../src/cli/doctor/check-machine.js';
import { checkHttpPort, checkOutside, checkRedis } from '../../../src/cli/doctor/check-network.js';
import { checkSettings } from '../../../src/cli/doctor/check-settings.js';
import { checkStores } from '../../../src/cli/doctor/check-stores.js';
import { broken, doubtful, fine, type Finding } from '../../../src/cli/doctor/finding.js';
import type { Probes } from '../../../src/cli/doctor/probes.js';
import { err, ok } from '../../../src/common/result.js';
import { WatchedStores, type WatchedStore } from '../../../src/common/watched-stores.js';
import { loadConfig, type Config } from '../../../src/config/index.js';
import { Redis, type RedisCalls, type RedisTrouble } from '../../../src/state/index.js';
import { CommandBench, type BenchOptions } from '../../support/command-bench.js';

/** A machine on which everything works, but for what a test changes. */
function probes(changes: Partial<Probes> = {}): Probes & { readonly connected: string[] } {
  const connected: string[] = [];
  return {
    connected,
    resolve: () => Promise.resolve(2),
    connect: (host, port) => {
      connected.push(`${host}:${port}`);
      return Promise.resolve(null);
    },
    listen: () => Promise.resolve(null),
    look: () => Promise.resolve('ENOENT'),
    list: () => Promise.resolve('ENOENT'),
    ...changes,
  };
}

function config(env: Record<string, string> = {}): Config {
  const loaded = loadConfig(env);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  return loaded.value;
}

/** A Redis that answers a PING, or has this trouble. */
function redis(trouble: RedisTrouble | null, commands: string[] = []): Redis {
  const command: RedisCalls['command'] = (...parts) => {
    commands.push(parts.join(' '));
    return Promise.resolve(trouble === null ? ok(Buffer.from('PONG')) : err(trouble));
  };
  const calls: RedisCalls = { command, run: () => Promise.reject(new Error('no script is run')) };
  return {
    quick: calls,
    patient: calls,
    vitals: { trouble, calls: { ok: 0, skipped: 0, away: 0, late: 0, full: 0, refused: 0 } },
    key: () => '',
    publish: () => undefined,
    subscribe: () => () => undefined,
    close: () => undefined,
  };
}

function store(size: number | null, isWritable = true): WatchedStore {
  return {
    readAll: () => Promise.resolve(size === null ? { ok: false as const, error: 'no' } : ok({ size })),
    isWritable: () => Promise.resolve(isWritable),
  };
}

/** A world whose stores are these. */
function bench(options: BenchOptions = {}, stores = new WatchedStores(), answers: RedisTrouble | null = null) {
  const services = new Map<unknown, unknown>([
    [WatchedStores, stores],
    [Redis, redis(answers)],
  ]);
  return new CommandBench({ services, ...options });
}

const levels = (findings: readonly Finding[]): [string, string][] => findings.map(({ name, level }) => [name, level]);

describe('the machine', () => {
  const at = (changes: object): Finding[] => checkMachine({ ...new CommandBench().context, ...changes });

  test.each([
    ['20.19.0', 'ok'],
    ['20.18.9', 'warn'],
    ['21.9.0', 'warn'],
    ['22.11.0', 'warn'],
    ['22.12.0', 'ok'],
    ['23.1.0', 'warn'],
    ['24.0.0', 'ok'],
    ['26.1.0', 'ok'],
  ])('Node.js %s: %s', (nodeVersion, level) => {
    expect(levels(at({ nodeVersion }))).toContainEqual(['Node.js', level]);
  });

  test.each([
    ['1970-01-01T00:00:00Z', 'fail'],
    ['2026-11-30T00:00:00Z', 'ok'],
    ['2099-01-01T00:00:00Z', 'fail'],
  ])('a clock that shows %s: %s', (time, level) => {
    const clock = { ...new CommandBench().context.clock, nowMs: () => Date.parse(time) };
    expect(levels(at({ clock }))).toContainEqual(['clock', level]);
  });
});

describe('the settings', () => {
  test('that are wrong fail one by one, with what to do', () => {
    const findings = checkSettings(loadConfig({ GOPHER_MAX_MENU_ITEMS: 'x', GOPHER_MCP_PORT: '99999' }));
    expect(levels(findings)).toEqual([
      ['settings', 'fail'],
      ['settings', 'fail'],
    ]);
    expect(findings.map(({ text }) => text).join('\n')).toContain('GOPHER_MAX_MENU_ITEMS');
    for (const { text, remedy } of findings) {
      expect(text).not.toContain('configuration error');
      expect(remedy).toContain('docs/configuration.md');
    }
  });

  test('that are valid but deserve a look are warned of', () => {
    const findings = checkSettings(loadConfig({ GOPHER_MAX_MENU_ITMES: '5' }));
    expect(levels(findings)).toEqual([
      ['settings', 'ok'],
      ['settings', 'warn'],
    ]);
    expect(findings[1]?.text).toContain('GOPHER_MAX_MENU_ITMES');
  });

  test('that are wrong leave out what depends on them, and nothing is opened', async () => {
    const world = bench({ env: { GOPHER_MCP_PORT: 'x' } });
    const names = (await examine(world.context, probes(), false)).map(({ name }) => name);
    expect(names).toEqual(['version', 'Node.js', 'clock', 'settings', 'names']);
    expect(world.open).toBe(0);
  });
});

describe('the stores', () => {
  const located = ok({ trustFile: '/state/tofu.json', identityDirectory: '/state/certs', ownDirectory: null });
  const check = async (stores: WatchedStores, changes: Partial<Probes> = {}): Promise<Finding[]> => {
    const world = bench({}, stores);
    return checkStores(world.context, await world.context.openServices(config()), located, probes(changes));
  };

  test('that work say how much is in them, and where', async () => {
    const stores = new WatchedStores();
    stores.add('pins', store(3));
    stores.add('identities', store(0), { isShared: true });
    expect(await check(stores)).toEqual([fine('pins', '3 in /state/tofu.json'), fine('identities', '0 in Redis')]);
  });

  test.each([
    ['cannot be read in /state/tofu.json', store(null), false, 'the file is whole'],
    ['cannot be written in /state/tofu.json', store(1, false), false, 'the permissions of the folder'],
    ['cannot be read in Redis', store(null), true, 'what is said of Redis'],
  ])('%s', async (text, one, isShared, remedy) => {
    const stores = new WatchedStores();
    stores.add('pins', one, { isShared });
    expect(await check(stores)).toEqual([broken('pins', text, expect.stringContaining(remedy) as unknown as string)]);
  });

  test('without a place for them fail with what to do', async () => {
    const world = bench();
    const services = await world.context.openServices(config());
    const nowhere = { ok: false as const, error: { message: 'No home.', facts: { next_step: 'Set it.' } } };
    expect(await checkStores(world.context, services, nowhere, probes())).toEqual([
      broken('stores', 'No home.', 'Set it.'),
    ]);
  });

  test('that others can reach are warned of, with the command that closes them', async () => {
    const look: Probes['look'] = (path) =>
      Promise.resolve(path === '/state/certs' ? { mode: 0o755, changedMs: 0 } : { mode: 0o600, changedMs: 0 });
    const findings = await check(new WatchedStores(), {
      look: (path) => (path.includes('lock') ? Promise.resolve('ENOENT') : look(path)),
    });
    expect(findings).toEqual([
      doubtful('permissions', 'others can reach /state/certs (mode 755)', "Run: chmod go= '/state/certs'"),
    ]);
  });

  test.each([
    [5_000, 'ok', 'is held by process 42'],
    [120_000, 'warn', 'is 120 s old'],
  ])('a lock that is %i ms old: %s', async (ageMs, level, text) => {
    const changedMs = new CommandBench().clock.nowMs() - ageMs;
    const findings = await check(new WatchedStores(), {
      look: (path) => Promise.resolve(path.endsWith('tofu.json.lock.d') ? { mode: 0o700, changedMs } : 'ENOENT'),
      list: () => Promise.resolve(['42.host']),
    });
    expect(levels(findings)).toEqual([['lock', level]]);
    expect(findings[0]?.text).toContain(text);
  });
});

describe('the network', () => {
  test('is not touched beyond the name server without --online', async () => {
    const machine = probes();
    expect(levels(await checkOutside(machine, false))).toEqual([['names', 'ok']]);
    expect(machine.connected).toEqual([]);
  });

  test('with --online one server of each protocol is connected to', async () => {
    const machine = probes();
    expect(levels(await checkOutside(machine, true))).toEqual([
      ['names', 'ok'],
      ['Gopher', 'ok'],
      ['Gemini', 'ok'],
    ]);
    expect(machine.connected).toEqual(['gopher.floodgap.com:70', 'geminiprotocol.net:1965']);
  });

  test('a port that a firewall closes is named', async () => {
    const connect: Probes['connect'] = (_host, port) => Promise.resolve(port === 70 ? 'TIMEOUT' : null);
    const [, gopher, gemini] = await checkOutside(probes({ connect }), true);
    expect(gopher).toMatchObject({ level: 'warn', text: 'gopher.floodgap.com:70 does not answer (TIMEOUT)' });
    expect(gopher?.remedy).toContain('port 70');
    expect(gemini?.level).toBe('ok');
  });

  test('without names nothing is connected to, and the demo is named', async () => {
    const machine = probes({ resolve: () => Promise.resolve('ENOTFOUND') });
    const findings = await checkOutside(machine, true);
    expect(levels(findings)).toEqual([['names', 'warn']]);
    expect(findings[0]?.text).toContain('(ENOTFOUND)');
    expect(findings[0]?.remedy).toContain('gopher-mcp demo');
    expect(machine.connected).toEqual([]);
  });

  test.each([
    ['stdio', null, 'ok', 'is free'],
    ['stdio', 'EADDRINUSE', 'warn', 'over stdio it is not needed'],
    ['streamable-http', 'EADDRINUSE', 'fail', '(EADDRINUSE)'],
  ])('the port of a server over %s: %s', async (transport, trouble, level, text) => {
    const listen = () => Promise.resolve(trouble);
    const findings = await checkHttpPort(config({ GOPHER_MCP_TRANSPORT: transport }), probes({ listen }));
    expect(levels(findings)).toEqual([['HTTP', level]]);
    expect(findings[0]?.text).toContain(text);
  });
});

describe('Redis', () => {
  const URL_OF_REDIS = 'redis://user:hunter2@redis.example:6380/1';

  test('is asked with a PING, not only connected to', async () => {
    const commands: string[] = [];
    expect(await checkRedis(URL_OF_REDIS, redis(null, commands))).toEqual([
      fine('Redis', 'redis.example:6380 answers'),
    ]);
    expect(commands).toEqual(['PING']);
  });

  test.each<[RedisTrouble, string]>([
    ['away', 'cannot be connected to'],
    ['late', 'does not answer a PING'],
    ['full', 'has no memory left'],
    ['refused', 'with an error'],
  ])('that is %s fails, with what to do, and without its password', async (trouble, text) => {
    const findings = await checkRedis(URL_OF_REDIS, redis(trouble));
    expect(levels(findings)).toEqual([['Redis', 'fail']]);
    expect(findings[0]?.text).toContain(text);
    expect(findings[0]?.remedy).toContain('GOPHER_MCP_REDIS_URL');
    expect(JSON.stringify(findings)).not.toMatch(/hunter2|user:/);
  });

  test('that is not configured is not mentioned', async () => {
    expect(await checkRedis(null, null)).toEqual([]);
  });

  test('that is configured belongs to the whole', async () => {
    const world = bench(
      { env: { GOPHER_MCP_REDIS_URL: 'redis://127.0.0.1', GEMINI_CLIENT_CERTS_ENABLED: 'false' } },
      new WatchedStores(),
      'away',
    );
    const findings = await examine(world.context, probes(), false);
    expect(levels(findings)).toContainEqual(['Redis', 'fail']);
    expect(world.open).toBe(0);
  });
});

describe('the report', () => {
  const FINDINGS = [fine('a', 'good'), doubtful('b', 'so\u001b[31m so', 'Look.'), broken('c', 'bad', 'Mend it.')];

  test('has a line for each finding, and what to do below it', () => {
    const world = new CommandBench();
    expect(report(world.context, FINDINGS, false)).toBe(1);
    expect(world.stdout.split('\n')).toEqual([
      'ok    a            good',
      'warn  b            so[31m so',
      `${' '.repeat(19)}Look.`,
      'fail  c            bad',
      `${' '.repeat(19)}Mend it.`,
      '',
      '1 failure, 1 warning.',
      '',
    ]);
  });

  test('says when everything works', () => {
    const world = new CommandBench();
    expect(report(world.context, FINDINGS.slice(0, 1), false)).toBe(0);
    expect(world.stdout).toContain('\nEverything works.\n');
  });

  test('is coloured where colours are shown', () => {
    const world = new CommandBench({ terminal: { hasColours: true } });
    report(world.context, FINDINGS, false);
    expect(world.stdout).toContain('\u001b[31mfail\u001b[39m');
  });

  test.each([
    [FINDINGS, 1],
    [FINDINGS.slice(0, 2), 0],
  ])('as JSON has all of it: %#', (findings, code) => {
    const world = new CommandBench();
    expect(report(world.context, findings, true)).toBe(code);
    expect(JSON.parse(world.stdout)).toEqual({ ok: code === 0, findings });
  });

  test('is what the command prints', () => {
    expect(Object.keys(doctorCommand.options)).toEqual(['online', 'json']);
  });
});
