/**
 * Secrets that were planted, and everything the built server says and keeps: results, log, metrics, files. Each secret is sent by every
 * way there is, through fetches that succeed and that fail in each manner. What the rest of the tests sends is watched as well: see
 * test/support/traffic.ts.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isObject, lookup, objectsOf, type Json, type JsonObject } from '../support/json.js';
import { LoopbackServer, type ConnectionHandler } from '../support/loopback-server.js';
import { McpHttpClient } from '../support/mcp-http-client.js';
import { McpStdioClient, type Answer } from '../support/mcp-stdio-client.js';
import { freePort } from '../support/http-server-process.js';
import {
  makeScratchFolder,
  removeScratchFolder,
  serverCommand,
  serverEnvironment,
} from '../support/server-under-test.js';
import { testCertificate } from '../support/test-certificates.js';

/** Words that occur nowhere else. */
const PASSWORD = 'canary-password-1f3b';
const USER = 'canary-user-77c0';
const ANSWER = 'canary-answer-9d20';
const SENSITIVE = 'canary-sensitive-55ae';
const QUERY = 'canary-query-e1c4';
const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.canary-token.c2lnbmF0dXJl';
const API_KEY = 'sk-canary-0123456789abcdef';
const SEARCH = 'canary-search-b06d';
const FOLDER = 'canary-folder-3a18';
const ENVIRONMENT = 'canary-environment-c9d1';

/** Nowhere, whatever the level of the log. */
const NEVER = [PASSWORD, USER, ANSWER, SENSITIVE, QUERY, TOKEN, API_KEY, ENVIRONMENT];

interface Client {
  request(method: string, params: JsonObject): Promise<Answer>;
  close(): Promise<unknown>;
}

const servers: LoopbackServer[] = [];
let ports: { gopher: number; gemini: number; broken: number };

beforeAll(async () => {
  const certificate = await testCertificate({});
  const gopher: ConnectionHandler = async (connection) => {
    const { bytes } = await connection.readUntil((received) => received.includes('\n'));
    const isFound = !String(bytes).includes('missing');
    await connection.write(
      Buffer.from(isFound ? 'iA page\t\th\t1\r\n.\r\n' : "3'missing' is not here\t\terror.host\t1\r\n.\r\n"),
    );
    await connection.end('clean');
  };
  const ANSWERS = new Map([
    ['asks', '10 What is your name?\r\n'],
    ['secret', '11 Password?\r\n'],
    ['moved', '31 /page\r\n'],
    ['slow', '44 1\r\n'],
    ['gone', '51 Not here\r\n'],
    ['cert', '60 Who are you?\r\n'],
    ['malformed', 'no header\r\n'],
    ['robots.txt', '51 Not here\r\n'],
  ]);
  const gemini: ConnectionHandler = async (connection) => {
    const { bytes } = await connection.readUntil((received) => received.includes('\n'));
    const path = /^gemini:\/\/[^/]*\/([^?\r]*)/.exec(String(bytes))?.[1] ?? '';
    await connection.write(Buffer.from(ANSWERS.get(path) ?? '20 text/gemini\r\n# Page\n=> /next Next\n'));
    await connection.end('clean');
  };
  const broken: ConnectionHandler = (connection) => connection.end('reset');
  servers.push(
    await LoopbackServer.listen('127.0.0.1', 0, () => ({ tls: undefined, handle: gopher })),
    await LoopbackServer.listen('127.0.0.1', 0, () => ({ tls: { certificate }, handle: gemini })),
    await LoopbackServer.listen('127.0.0.1', 0, () => ({ tls: undefined, handle: broken })),
  );
  const [a = 0, b = 0, c = 0] = servers.map(({ port }) => port);
  ports = { gopher: a, gemini: b, broken: c };
});

afterAll(async () => {
  for (const server of servers) await server.close();
});

/** Every way to send the search terms. */
function gopherUrls(): readonly string[] {
  const { gopher, broken } = ports;
  const hosts = [
    `localhost:${gopher}`,
    `localhost:${broken}`,
    'localhost:1',
    'localhost:22',
    'nowhere.invalid',
    'blocked.example',
  ];
  return [
    ...hosts.flatMap((place) => [
      `gopher://${place}/7/find?${SEARCH}`,
      `gopher://${place}/7/find%09${SEARCH}`,
      `gopher://${place}/1/missing?${SEARCH}`,
      `gopher://${place}/8/telnet?${SEARCH}`,
    ]),
    `gopher://${USER}:${PASSWORD}@localhost:${gopher}/7/find?${SEARCH}`,
    `gopher://${USER}:${PASSWORD}@localhost:${broken}/1/`,
    `gopher://${USER}:${PASSWORD}@localhost:99999/1/`,
    `gopher://${USER}:${PASSWORD}/x@localhost/1/`,
    `gopher://[${USER}:${PASSWORD}@localhost/`,
    `http://${USER}:${PASSWORD}@localhost/?${SEARCH}`,
  ];
}

function geminiUrls(): readonly string[] {
  const { gemini, broken } = ports;
  const secrets = [QUERY, `token=${TOKEN}`, `key=${API_KEY}#x`];
  const paths = ['page', 'asks', 'secret', 'moved', 'gone', 'cert', 'malformed', 'slow'];
  return [
    ...paths.flatMap((path) => secrets.map((secret) => `gemini://localhost:${gemini}/${path}?${secret}`)),
    ...['localhost:1', 'localhost:22', `localhost:${broken}`, 'nowhere.invalid', 'blocked.example'].map(
      (place) => `gemini://${place}/?${QUERY}`,
    ),
    `gemini://${USER}:${PASSWORD}@localhost:${gemini}/?${QUERY}`,
    `gemini://${USER}:${PASSWORD}@localhost:${gemini}/ page`,
    `gemini://localhost:${gemini}/a b?${QUERY}`,
    `gemini://localhost:${gemini}/?${QUERY}${'x'.repeat(2000)}`,
    `gemini://[${USER}:${PASSWORD}@localhost/?${QUERY}`,
    `https://${USER}:${PASSWORD}@localhost/?${QUERY}`,
  ];
}

/** All answers, errors of the protocol included. */
async function sendAll(client: Client): Promise<readonly Json[]> {
  const results: Json[] = [];
  const ask = async (method: string, params: JsonObject): Promise<void> => {
    const { result, error } = await client.request(method, params);
    results.push(result ?? error ?? null);
  };
  const call = (name: string, args: JsonObject): Promise<void> => ask('tools/call', { name, arguments: args });
  const { gopher, gemini } = ports;

  for (const url of gopherUrls()) await call('gopher_fetch', { url });
  for (const url of geminiUrls()) await call('gemini_fetch', { url });
  for (const url of [
    `gopher://localhost:${gopher}/7/find`,
    `gopher://localhost:${gopher}/0/file`,
    'gopher://localhost:1/7/find',
  ])
    await call('gopher_fetch', { url, search: SEARCH });
  for (const path of ['asks', 'secret', 'page', 'gone', 'malformed', 'cert']) {
    await call('gemini_fetch', { url: `gemini://localhost:${gemini}/${path}`, input: ANSWER });
    await call('gemini_fetch', { url: `gemini://localhost:${gemini}/${path}?old`, input: SENSITIVE, refresh: true });
  }
  await call('gemini_fetch', { url: 'gemini://localhost:1/', input: SENSITIVE });
  await call('gemini_fetch', { url: `gemini://localhost:${gemini}/asks`, input: SENSITIVE.repeat(100) });
  await call('gemini_fetch', { url: `gemini://localhost:${gemini}/asks`, inputs: SENSITIVE });
  await call('gopher_fetch', { url: 1, search: SEARCH });
  await call('gopher_batch_fetch', { urls: [...gopherUrls()] });
  await call('gemini_batch_fetch', { urls: [...geminiUrls()] });
  await call('gemini_batch_fetch', {
    urls: Array.from({ length: 51 }, () => `gemini://${USER}:${PASSWORD}@h/?${QUERY}`),
  });
  await call('gemini_client_cert_update', { action: 'create', url: `gemini://localhost:${gemini}/zone?${QUERY}` });
  await call('gemini_client_cert_update', {
    action: 'remove',
    url: `gemini://${USER}:${PASSWORD}@localhost/?${QUERY}`,
    fingerprint: 'x',
  });
  for (const tool of ['gemini_client_cert_list', 'gemini_trust_list']) await call(tool, {});
  for (const uri of [...gopherUrls().slice(0, 2), ...geminiUrls()]) await ask('resources/read', { uri });
  await ask('resources/read', { uri: 'gopher-mcp://policy' });
  await ask('completion/complete', {
    ref: { type: 'ref/resource', uri: 'gemini://{+path}' },
    argument: { name: 'path', value: '' },
  });
  return results;
}

/** Every string of a result but those that may carry the search terms of Gopher: the echo of a URL that was sent. */
function withoutGopherEchoes(result: Json): string {
  return JSON.stringify(result, (name, value: unknown) => {
    if (typeof value !== 'string') return value;
    if (name === 'text' && value.startsWith('{')) return undefined;
    return (name === 'url' || name === 'uri' || name === 'selector') && /^gopher:|^\//.test(value) ? undefined : value;
  });
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path).isFile());
}

describe.each(['stdio', 'streamable-http'])('over %s', (transport) => {
  let scratch = '';
  let results: readonly Json[] = [];
  let metrics = '';
  let lines: readonly JsonObject[] = [];

  beforeAll(async () => {
    scratch = await makeScratchFolder();
    const home = join(scratch, FOLDER);
    await mkdir(home);
    const both = {
      ALLOWED_NETWORKS: '127.0.0.0/8,::1',
      ALLOWED_HOSTS: 'localhost,nowhere.invalid',
      REQUESTS_PER_MINUTE: '0',
      TIMEOUT_SECONDS: '5',
    };
    const logFile = join(home, 'server.log');
    const metricsPort = await freePort();
    const environment = serverEnvironment(home, {
      ...Object.fromEntries(
        Object.entries(both).flatMap(([name, value]) => [
          [`GOPHER_${name}`, value],
          [`GEMINI_${name}`, value],
        ]),
      ),
      GOPHER_MCP_LOG_LEVEL: 'DEBUG',
      GOPHER_MCP_LOG_FILE_PATH: logFile,
      GOPHER_MCP_METRICS_PORT: String(metricsPort),
      AWS_SECRET_ACCESS_KEY: ENVIRONMENT,
    });
    let client: Client;
    if (transport === 'stdio') {
      const started = new McpStdioClient({ command: serverCommand(), folder: home, environment });
      await started.initialize();
      client = started;
    } else {
      const started = await McpHttpClient.start(serverCommand(), home, environment);
      await started.initialize();
      client = started;
    }
    try {
      results = await sendAll(client);
      // Over stdio there are none.
      if (transport !== 'stdio') metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    } finally {
      await client.close();
    }
    lines = readFileSync(logFile, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as JsonObject);
  }, 120_000);

  afterAll(() => removeScratchFolder(scratch));

  test('the secrets were sent, and the fetches ended in every way', () => {
    const payloads = results.flatMap((result) => {
      const structured = lookup(result, 'structuredContent');
      const items = objectsOf(lookup(structured, 'result'));
      return items.length > 0 ? items : isObject(structured) ? [structured] : [];
    });
    const outcomes = new Set(payloads.map((payload) => lookup(payload, 'error.code') ?? payload['kind']));
    expect([...outcomes]).toEqual(
      expect.arrayContaining([
        ...[
          'menu',
          'gemtext',
          'input',
          'redirect',
          'certificate',
          'client_cert_update',
          'client_cert_list',
          'trust_list',
        ],
        ...['INVALID_REQUEST', 'BLOCKED', 'DNS_ERROR', 'FETCH_ERROR', 'NOT_FETCHABLE', 'PROTOCOL_ERROR'],
        ...['PERMANENT_ERROR', 'TEMPORARY_ERROR'],
      ]),
    );
    expect(lines.length).toBeGreaterThan(100);
  });

  test.each(NEVER)('%s is in no result, no line of the log, no metric and no file', (secret) => {
    expect(results.filter((result) => JSON.stringify(result).includes(secret))).toEqual([]);
    expect(lines.filter((line) => JSON.stringify(line).includes(secret))).toEqual([]);
    expect(metrics).not.toContain(secret);
    for (const path of filesBelow(scratch)) {
      expect(path).not.toContain(secret);
      expect(readFileSync(path, 'latin1')).not.toContain(secret);
    }
  });

  test('search terms are in no message of ours and no metric, and in the log at DEBUG alone', () => {
    for (const result of results) expect(withoutGopherEchoes(result)).not.toContain(SEARCH);
    const telling = lines.filter((line) => JSON.stringify(line).includes(SEARCH));
    expect(telling.length).toBeGreaterThan(0);
    expect(new Set(telling.map(({ level }) => level))).toEqual(new Set(['debug']));
    expect(metrics).not.toContain(SEARCH);
    for (const path of filesBelow(scratch).filter((name) => !name.endsWith('server.log')))
      expect(readFileSync(path, 'latin1')).not.toContain(SEARCH);
  });

  test('neither local paths nor addresses that a name resolved to are in a result', () => {
    const text = JSON.stringify(results);
    expect(text).not.toContain(FOLDER);
    expect(text).not.toMatch(/127\.0\.0\.1|"::1"/);
  });

  test('metrics know neither hosts nor URLs', () => {
    if (transport !== 'stdio') expect(metrics).toContain('gopher_mcp_');
    expect(metrics).not.toMatch(/localhost|nowhere\.invalid|blocked\.example|:\/\//);
  });
});
