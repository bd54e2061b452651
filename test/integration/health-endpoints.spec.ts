/** What balancers, orchestrators and people learn of a server, and when it changes. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HttpServer } from '../../src/bin/serve-http.js';
import { geminiFetch } from '../../src/mcp/tools/gemini.tools.js';
import { gopherFetch } from '../../src/mcp/tools/gopher.tools.js';
import type { Tool } from '../../src/mcp/tool.js';
import { startHttpServer } from '../support/http-server.js';
import { ask, type HttpAnswer } from '../support/json-rpc-post.js';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';

let folder: TemporaryFolder;
let pins: string;
let certs: string;
let log: string[];
let server: HttpServer;

beforeEach(async () => {
  folder = await temporaryFolder();
  pins = join(folder.path, 'tofu.json');
  certs = join(folder.path, 'certs');
  log = [];
});

afterEach(async () => {
  await server.close();
  await folder.remove();
});

async function start(env: Record<string, string> = {}, tools: readonly Tool[] = [geminiFetch]): Promise<void> {
  const places = { GEMINI_TOFU_STORAGE_PATH: pins, GEMINI_CLIENT_CERTS_STORAGE_PATH: certs };
  server = await startHttpServer(tools, { ...places, ...env }, log);
}

const at = (path: string, method = 'GET'): Promise<HttpAnswer> => ask(`${server.url}${path}`, { method });

async function status(path: string): Promise<number> {
  return (await at(path)).status;
}

/** The state of each check of `/health/ready`. */
async function checks(): Promise<Record<string, string>> {
  const { details } = JSON.parse((await at('/health/ready')).body);
  return Object.fromEntries(Object.entries<{ status: string }>(details).map(([name, { status }]) => [name, status]));
}

/** Events of the log about readiness. */
function told(): unknown[] {
  return log
    .map((line) => JSON.parse(line))
    .filter(({ event }) => /ready/.test(event))
    .map(({ level, event, failing }) => [level, event, failing]);
}

describe('a server that is well', () => {
  test.each(['/health', '/health/', '/health/live', '/health/ready', '/health/startup'])('answers %s', async (path) => {
    await start();
    const { status: code, headers, body } = await at(path);
    expect([code, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(JSON.parse(body)).toMatchObject({ status: 'ok' });
    expect(body).not.toContain(folder.path);
    expect(await at(path, 'HEAD')).toMatchObject({ status: 200, body: '' });
  });

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('is only read, not %s', async (method) => {
    await start();
    for (const path of ['/health', '/health/live', '/health/ready', '/health/startup']) {
      expect(await at(path, method)).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
    }
  });

  test('tells its version at /health alone, and what it checks at /health/ready', async () => {
    await start();
    expect(JSON.parse((await at('/health')).body)).toEqual({ status: 'ok', version: '0.0.0' });
    expect(await checks()).toEqual({ serving: 'up', event_loop: 'up', pins: 'up', identities: 'up' });
  });

  test('says nothing of its health to the log', async () => {
    await start();
    await at('/health/ready');
    expect(told()).toEqual([]);
  });
});

describe('a store that cannot be read', () => {
  beforeEach(() => writeFile(pins, '{ not JSON'));

  test('takes the server out of the way, and does not get it restarted', async () => {
    await start();
    expect([await status('/health'), await status('/health/live'), await status('/health/ready')]).toEqual([
      200, 200, 503,
    ]);
    expect(await checks()).toMatchObject({ pins: 'down', identities: 'up', serving: 'up' });
    expect((await at('/health/ready')).body).not.toContain(folder.path);
    expect(told()).toEqual([['warning', 'not ready', ['pins']]]);
  });

  test('is no trouble any more once somebody repaired it', async () => {
    await start();
    expect([await status('/health/startup'), await status('/health/ready')]).toEqual([503, 503]);
    await rm(pins);
    expect([await status('/health/startup'), await status('/health/ready')]).toEqual([200, 200]);
    expect(told()).toEqual([
      ['warning', 'not ready', ['pins']],
      ['info', 'ready again', undefined],
    ]);
    await writeFile(pins, '{ damaged again');
    expect([await status('/health/startup'), await status('/health/ready')]).toEqual([200, 503]);
  });

  test.each<[string, Record<string, string>, readonly Tool[]]>([
    ['pins are not checked', { GEMINI_TOFU_ENABLED: 'false' }, [geminiFetch]],
    ['nothing is served that needs it', {}, [gopherFetch]],
  ])('does not matter where %s', async (_, env, tools) => {
    await start(env, tools);
    expect(await status('/health/ready')).toBe(200);
    expect(await checks()).not.toHaveProperty('pins');
  });
});

describe('a store that cannot be written', () => {
  // What is in the way of its folder keeps even root from writing; it reads as one without entries.
  beforeEach(async () => {
    await mkdir(certs);
    await writeFile(join(certs, 'file'), '');
    certs = join(certs, 'file');
  });

  test('takes the server out of the way', async () => {
    await start();
    expect(await status('/health/ready')).toBe(503);
    expect(await checks()).toMatchObject({ pins: 'up', identities: 'down' });
  });

  test('does not matter where no tool may change it', async () => {
    await start({ GOPHER_MCP_READ_ONLY: 'true' });
    expect(await status('/health/ready')).toBe(200);
  });
});
