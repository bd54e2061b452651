import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { serveReal, type ClientKind, type Wiring } from '../support/real-clients.js';
import { LOCAL_GOPHER, SmallGopher } from '../support/small-gopher.js';

let gopher: SmallGopher;

beforeAll(async () => {
  gopher = await SmallGopher.start(() => 'Hello.\r\n.\r\n');
});

afterAll(() => gopher.close());

test.each<[Wiring, ClientKind]>([
  ['stdio', 'v1'],
  ['stdio', 'v2'],
  ['stdio', 'v2 stateless'],
  ['http', 'v1'],
  ['http', 'v2'],
  ['http', 'v2 stateless'],
  ['sse', 'v1'],
])('a batch tells how far it is, to the last item: %s, client %s', async (wiring, kind) => {
  const server = await serveReal(wiring, LOCAL_GOPHER);
  const client = await server.connect(kind);
  const told: [number, number | undefined][] = [];
  const onprogress = ({ progress, total }: { progress: number; total?: number | undefined }): void => {
    told.push([progress, total]);
  };
  const urls = ['0/a', '0/b', '8/none'].map((item) => gopher.url(item));
  const { structuredContent } = await client.callTool('gopher_batch_fetch', { urls }, { onprogress });
  expect(structuredContent).toMatchObject({ result: [{ kind: 'text' }, { kind: 'text' }, { kind: 'error' }] });
  expect(told).toEqual([
    [1, 3],
    [2, 3],
    [3, 3],
  ]);
  await client.close();
  await server.close();
});
