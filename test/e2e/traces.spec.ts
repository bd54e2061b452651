/** The program with an SDK in front of it, as docs/operations.md shows: spans arrive, and a collector that is gone holds nothing up. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { CollectorStub } from '../support/collector-stub.js';
import { HttpServerProcess } from '../support/http-server-process.js';
import { callTool } from '../support/json-rpc-post.js';
import { REPOSITORY, serverCommand, serverEnvironment } from '../support/server-under-test.js';
import { LOCAL_GOPHER, SmallGopher } from '../support/small-gopher.js';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';

const SDK = pathToFileURL(path.join(REPOSITORY, 'config', 'tracing.mjs')).href;

/** More than the program gives its last spans, less than what ends it by force. */
const ENDS_WITHIN_MS = 8000;

let folder: TemporaryFolder;
let gopher: SmallGopher;

beforeEach(async () => {
  folder = await temporaryFolder();
  gopher = await SmallGopher.start(() => 'hello\r\n');
});

afterEach(async () => {
  await gopher.close();
  await folder.remove();
});

function start(endpoint: string): Promise<HttpServerProcess> {
  const settings = {
    NODE_OPTIONS: `--import ${SDK}`,
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_SERVICE_NAME: 'spec',
  };
  const environment = serverEnvironment(folder.path, { ...LOCAL_GOPHER, ...settings });
  return HttpServerProcess.start(serverCommand(), folder.path, environment);
}

test('the spans of the last calls arrive before the end', async () => {
  const collector = await CollectorStub.start();
  const server = await start(collector.url);
  await callTool(server.origin, 'gopher_fetch', { url: gopher.url('0/a') });
  await server.close();
  expect(collector.spans.map(({ name }) => name)).toEqual(['gopher fetch', 'tools/call gopher_fetch']);
  expect(collector.resource).toMatchObject({ 'service.name': 'spec' });
  await collector.close();
}, 60_000);

test.each([
  ['does not listen', () => Promise.resolve(undefined)],
  ['never answers', async () => once(silent.listen(0, '127.0.0.1'), 'listening')],
])(
  'a collector that %s does not hold up the end',
  async (_how, open) => {
    await open();
    const address = silent.address() as AddressInfo | null;
    const server = await start(`http://127.0.0.1:${address?.port ?? 9}`);
    expect((await callTool(server.origin, 'gopher_fetch', { url: gopher.url('0/a') })).status).toBe(200);
    const startedMs = performance.now();
    await server.close();
    expect(performance.now() - startedMs).toBeLessThan(ENDS_WITHIN_MS);
    silent.close();
  },
  60_000,
);

/** Takes connections and says nothing. */
const silent: Server = createServer((socket) => void socket.on('error', () => undefined).unref()).unref();
