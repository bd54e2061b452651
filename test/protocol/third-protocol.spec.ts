import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PageTemplate } from '../../src/mcp/index.js';
import { gopherFetch } from '../../src/mcp/tools/gopher.tools.js';
import { connectClient, type ConnectedClient } from '../support/connected-client.js';
import { FingerPipeline } from './finger/finger.module.js';
import { fingerFetch } from './finger/finger.tool.js';

/** The whole of what a protocol is: the folder `finger/`, its line in the tool table and its line in the template table. */
const TABLE = [gopherFetch, fingerFetch];
const TEMPLATES: readonly PageTemplate[] = [
  { scheme: 'finger', tool: 'finger_fetch', pages: 'Finger page', pipeline: FingerPipeline },
];

let server: Server;
let port: number;
let asked = 0;
let connected: ConnectedClient;

beforeAll(async () => {
  server = createServer((socket) => {
    socket.once('data', (line) => {
      asked++;
      socket.end(`Login: ${String(line).trim()}\n${'x'.repeat(60)}\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
  const env = {
    GOPHER_ALLOW_LOCAL_HOSTS: 'true',
    GOPHER_REQUESTS_PER_MINUTE: '0',
    GOPHER_MAX_RENDERED_CHARS: '40',
  };
  connected = await connectClient(TABLE, env, TEMPLATES);
});

afterAll(async () => {
  await connected.close();
  await new Promise((resolve) => server.close(resolve));
});

describe('a third protocol, added as one folder and one line', () => {
  test('is listed next to the others', async () => {
    const { tools } = await connected.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['gopher_fetch', 'finger_fetch']);
  });

  test('is fetched through the same pipeline: window, marks of origin, held body, cache', async () => {
    const fetch = (offset: number) =>
      connected.client.callTool({ name: 'finger_fetch', arguments: { url: `finger://127.0.0.1:${port}/ada`, offset } });
    const first = await fetch(0);
    expect(first.structuredContent).toMatchObject({
      kind: 'text',
      text: expect.stringContaining('Login: ada'),
      next_offset: 40,
      untrusted: true,
      source_host: '127.0.0.1',
      incomplete: false,
      cached: false,
    });
    expect((await fetch(40)).structuredContent).toMatchObject({ cached: true, next_offset: null });
    expect((await fetch(0)).structuredContent).toMatchObject({ cached: true });
    expect(asked).toBe(1);
  });

  test('is read as resources, and completed from what was read', async () => {
    const uri = `finger://127.0.0.1:${port}/ada`;
    const { resourceTemplates } = await connected.client.listResourceTemplates();
    expect(resourceTemplates).toMatchObject([{ uriTemplate: 'finger://{+path}', name: 'finger_page' }]);
    const { contents } = await connected.client.readResource({ uri });
    expect(contents).toMatchObject([{ uri, mimeType: 'text/plain', text: expect.stringContaining('Login: ada') }]);
    const { completion } = await connected.client.complete({
      ref: { type: 'ref/resource', uri: 'finger://{+path}' },
      argument: { name: 'path', value: 'ADA' },
    });
    expect(completion.values).toEqual([uri.slice('finger://'.length)]);
  });

  test('stands behind the same guards', async () => {
    const { structuredContent, isError } = await connected.client.callTool({
      name: 'finger_fetch',
      arguments: { url: 'finger://127.0.0.1:25/ada' },
    });
    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({ error: { code: 'BLOCKED', reason: 'port' } });
  });
});
