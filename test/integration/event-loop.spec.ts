/**
 * No single fetch keeps others waiting: whatever a server sends, the event loop of the built server is never busy for more than
 * {@link AT_DEFAULT_CAPS_MS} of CPU between two turns, and for no more than {@link WITHOUT_CAPS_MS} where windows are not bounded. Measured in the server itself (turn-meter.mjs), in CPU time, so that a busy
 * machine makes no difference; the least of several tries, so that neither does a collection of garbage or code not yet compiled.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  HOSTILE_MENUS,
  HOSTILE_PAGES,
  HOSTILE_TEXTS,
  SHAPES_OF_ANY,
  type HostileBody,
} from '../support/hostile-bodies.js';
import type { JsonObject } from '../support/json.js';
import { LoopbackServer, type ConnectionHandler } from '../support/loopback-server.js';
import { McpStdioClient } from '../support/mcp-stdio-client.js';
import {
  makeScratchFolder,
  removeScratchFolder,
  REPOSITORY,
  serverCommand,
  serverEnvironment,
} from '../support/server-under-test.js';
import { testCertificate } from '../support/test-certificates.js';

const AT_DEFAULT_CAPS_MS = 50;
const WITHOUT_CAPS_MS = 100;
const MIB = 1 << 20;
/** Half a million menu items or links. What is left in one piece there is decoding and cleaning the body. */
const FAR_OVER_BYTES = 16 * MIB;
const FAR_OVER_MS = 400;
const TRIES = 12;
const BEHIND_THE_END = 900_000_000;

/** What the servers answer next. */
let body: Buffer = Buffer.alloc(0);
const servers: LoopbackServer[] = [];
let gopher = '';
let gemini = '';

beforeAll(async () => {
  const answer =
    (header: string): ConnectionHandler =>
    async (connection) => {
      await connection.readUntil((received) => received.includes('\n'));
      await connection.write(Buffer.concat([Buffer.from(header), body]));
      await connection.end('clean');
    };
  const certificate = await testCertificate({});
  servers.push(
    await LoopbackServer.listen('127.0.0.1', 0, () => ({ tls: undefined, handle: answer('') })),
    await LoopbackServer.listen('127.0.0.1', 0, () => ({ tls: { certificate }, handle: answer('20 text/gemini\r\n') })),
  );
  [gopher = '', gemini = ''] = servers.map(({ port }) => `127.0.0.1:${port}`);
});

afterAll(async () => {
  for (const server of servers) await server.close();
});

/** The built server with a meter inside. */
class MeteredServer {
  #client: McpStdioClient | undefined;
  #folder = '';

  async start(settings: Readonly<Record<string, string>>): Promise<void> {
    this.#folder = await makeScratchFolder();
    const { program, args } = serverCommand();
    const environment = serverEnvironment(this.#folder, {
      ...forBoth({
        ALLOW_LOCAL_HOSTS: 'true',
        RESPECT_ROBOTS_TXT: 'false',
        CACHE_ENABLED: 'false',
        REQUESTS_PER_MINUTE: '0',
        MAX_RESPONSE_SIZE: String(MIB + 100),
      }),
      ...settings,
      TURN_METER_FILE: this.#meterFile,
    });
    const meter = join(REPOSITORY, 'test', 'support', 'turn-meter.mjs');
    const command = { program, args: ['--import', meter, ...args] };
    this.#client = new McpStdioClient({ command, folder: this.#folder, environment });
    await this.#client.initialize();
    // What each protocol needs is loaded at its first fetch.
    body = Buffer.from('1a\t/\th\t70\r\n');
    for (const url of [`gopher://${gopher}/1`, `gemini://${gemini}/`]) await this.#fetch(url, {});
  }

  async stop(): Promise<void> {
    await this.#client?.close();
    await removeScratchFolder(this.#folder);
  }

  /** The longest turn in CPU milliseconds while `url` is fetched; of several tries the best, unless one is within `limitMs`. */
  async longestTurnMs(url: string, args: JsonObject, limitMs: number): Promise<number> {
    let least = Infinity;
    for (let attempt = 0; attempt < TRIES && least > limitMs; attempt++)
      least = Math.min(least, await this.#fetch(url, args));
    return least;
  }

  async #fetch(url: string, args: JsonObject): Promise<number> {
    const before = this.#turns().length;
    const tool = url.startsWith('gopher') ? 'gopher_fetch' : 'gemini_fetch';
    const { result } = (await this.#client?.callTool(tool, { url, ...args })) ?? {};
    expect(result?.['structuredContent']).not.toMatchObject({ kind: 'error' });
    // Another question, so that the turn which wrote the answer is over.
    await this.#client?.request('ping', {});
    return Math.max(0, ...this.#turns().slice(before));
  }

  get #meterFile(): string {
    return join(this.#folder, 'turns');
  }

  #turns(): readonly number[] {
    return existsSync(this.#meterFile) ? readFileSync(this.#meterFile, 'utf8').trim().split('\n').map(Number) : [];
  }
}

function forBoth(settings: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(settings).flatMap(([name, value]) => [
    [`GOPHER_${name}`, value],
    [`GEMINI_${name}`, value],
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}

/** What is fetched, with a body of which shape, in which form. */
type Row = readonly [what: string, url: () => string, shape: HostileBody, args: JsonObject];

function rows(what: string, url: () => string, shapes: readonly HostileBody[], args: JsonObject = {}): Row[] {
  const suffix = Object.values(args).join(' ');
  return shapes.map((shape) => [`${what} of ${shape.name}${suffix === '' ? '' : `, ${suffix}`}`, url, shape, args]);
}

const menu = (): string => `gopher://${gopher}/1`;
const text = (): string => `gopher://${gopher}/0`;
const html = (): string => `gopher://${gopher}/h`;
const page = (): string => `gemini://${gemini}/`;

// Elsewhere the meter counts the threads of the runtime as well.
const onLinux = process.platform === 'linux' ? describe : describe.skip;

onLinux('at default caps', () => {
  const server = new MeteredServer();
  beforeAll(() => server.start({}), 30_000);
  afterAll(() => server.stop());

  const own = (shapes: readonly HostileBody[]): readonly HostileBody[] =>
    shapes.filter((shape) => !SHAPES_OF_ANY.includes(shape));
  test.each([
    ...rows('a menu', menu, HOSTILE_MENUS),
    ...rows('a text', text, HOSTILE_TEXTS),
    ...rows('a page', page, HOSTILE_PAGES),
    ...rows('a menu', menu, own(HOSTILE_MENUS), { offset: BEHIND_THE_END }),
    ...(['text', 'links', 'outline'] as const).flatMap((format) => [
      ...rows('a menu', menu, own(HOSTILE_MENUS), { format }),
      ...rows('a text', text, own(HOSTILE_TEXTS), { format }),
      ...rows('a page', page, own(HOSTILE_PAGES), { format }),
    ]),
    ...rows('a web page', html, own(HOSTILE_TEXTS), { format: 'text' }),
  ])('%s', async (_, url, shape, args) => {
    body = shape.bytes(MIB);
    expect(await server.longestTurnMs(url(), args, AT_DEFAULT_CAPS_MS)).toBeLessThan(AT_DEFAULT_CAPS_MS);
  });
});

onLinux('with the caps on windows off', () => {
  const server = new MeteredServer();
  beforeAll(() => server.start({ ...forBoth({ MAX_RENDERED_CHARS: '0' }), GOPHER_MAX_MENU_ITEMS: '0' }), 30_000);
  afterAll(() => server.stop());

  const named = (shapes: readonly HostileBody[], ...names: readonly string[]): readonly HostileBody[] =>
    shapes.filter(({ name }) => names.includes(name));
  test.each([
    ...rows('a text', text, HOSTILE_TEXTS),
    ...rows('a menu', menu, named(HOSTILE_MENUS, 'items', 'web links', 'prose', 'another host each', 'one long title')),
    ...rows('a page', page, named(HOSTILE_PAGES, 'one line', 'ideographs', 'emoji', 'absolute links', 'dot segments')),
  ])('%s', async (_, url, shape, args) => {
    body = shape.bytes(MIB);
    expect(await server.longestTurnMs(url(), args, WITHOUT_CAPS_MS)).toBeLessThan(WITHOUT_CAPS_MS);
  });
});

onLinux('with sixteen times the default size of a response and no cap on windows', () => {
  const server = new MeteredServer();
  const settings = forBoth({ MAX_RENDERED_CHARS: '0', MAX_RESPONSE_SIZE: String(2 * FAR_OVER_BYTES) });
  beforeAll(() => server.start({ ...settings, GOPHER_MAX_MENU_ITEMS: '0' }), 30_000);
  afterAll(() => server.stop());

  const named = (shapes: readonly HostileBody[], ...names: readonly string[]): readonly HostileBody[] =>
    shapes.filter(({ name }) => names.includes(name));
  test.each([
    ...rows('a text', text, named(HOSTILE_TEXTS, 'one line', 'short lines', 'quotes and backslashes')),
    ...rows('a menu', menu, named(HOSTILE_MENUS, 'items')),
    ...rows('a page', page, named(HOSTILE_PAGES, 'one line', 'absolute links')),
  ])(
    '%s',
    async (_, url, shape, args) => {
      body = shape.bytes(FAR_OVER_BYTES);
      expect(await server.longestTurnMs(url(), args, FAR_OVER_MS)).toBeLessThan(FAR_OVER_MS);
    },
    120_000,
  );
});
