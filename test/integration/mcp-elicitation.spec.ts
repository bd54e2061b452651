import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  serveReal,
  type ClientKind,
  type ClientTraits,
  type PersonsAnswer,
  type RealClient,
  type Wiring,
} from '../support/real-clients.js';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';

const FINGERPRINT = 'ab'.repeat(32);
const PIN = { action: 'pin', host: 'capsule.example', fingerprint: FINGERPRINT };

const ways: readonly [Wiring, ClientKind][] = [
  ['stdio', 'v1'],
  ['stdio', 'v2'],
  ['stdio', 'v2 stateless'],
  ['http', 'v1'],
  ['http', 'v2'],
  ['http', 'v2 stateless'],
  ['sse', 'v1'],
];

let folder: TemporaryFolder;

beforeEach(async () => {
  folder = await temporaryFolder();
});

afterEach(() => folder.remove());

/** Calls `use` with a client of a server of its own, whose pins stand in this test's folder. */
async function withClient(
  [wiring, kind]: readonly [Wiring, ClientKind],
  traits: ClientTraits,
  use: (client: RealClient) => Promise<void>,
  answerWithinMs?: number,
): Promise<void> {
  const env = { GEMINI_TOFU_STORAGE_PATH: join(folder.path, 'tofu.json') };
  const server = await serveReal(wiring, env, answerWithinMs === undefined ? {} : { answerWithinMs });
  const client = await server.connect(kind, traits);
  try {
    await use(client);
  } finally {
    await client.close();
    await server.close();
  }
}

async function pinned(client: RealClient): Promise<unknown> {
  const { structuredContent } = await client.callTool('gemini_trust_list', { host: PIN.host });
  return structuredContent;
}

describe.each(ways)('a change of a pin over %s, client %s', (wiring, kind) => {
  const way = [wiring, kind] as const;

  test('is made after a yes, and the question names what would change', async () => {
    const questions: string[] = [];
    const onQuestion = (message: string): PersonsAnswer => {
      questions.push(message);
      return { action: 'accept', content: { confirm: true } };
    };
    await withClient(way, { onQuestion }, async (client) => {
      const { structuredContent, isError } = await client.callTool('gemini_trust_update', PIN);
      expect(isError).not.toBe(true);
      expect(structuredContent).toMatchObject({ kind: 'trust_update', changed: true });
      expect(await pinned(client)).toMatchObject({ entries: [{ fingerprint: FINGERPRINT }] });
    });
    expect(questions).toEqual([expect.stringContaining(PIN.host)]);
  });

  test.each<[string, PersonsAnswer]>([
    ['a yes that is none', { action: 'accept', content: { confirm: false } }],
    ['a yes without a word', { action: 'accept' }],
    ['a no', { action: 'decline' }],
    ['a closed question', { action: 'cancel' }],
  ])('is not made after %s', async (_name, answer) => {
    await withClient(way, { onQuestion: () => answer }, async (client) => {
      expect(await client.callTool('gemini_trust_update', PIN)).toMatchObject({
        isError: true,
        structuredContent: { kind: 'error', error: { code: 'USER_DECLINED', next_step: expect.any(String) } },
      });
      expect(await pinned(client)).toMatchObject({ entries: [] });
    });
  });

  test('is not made when the client fails to ask, and nothing of its words comes back', async () => {
    const onQuestion = (): never => {
      throw new Error('the window is broken');
    };
    await withClient(way, { onQuestion }, async (client) => {
      const call = client.callTool('gemini_trust_update', PIN);
      if (kind === 'v2 stateless') {
        // Here the client alone knows that it failed: it never calls again.
        await expect(call).rejects.toThrow('the window is broken');
      } else {
        const result = await call;
        expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: 'USER_DECLINED' } } });
        expect(JSON.stringify(result)).not.toContain('window');
      }
      expect(await pinned(client)).toMatchObject({ entries: [] });
    });
  });

  test('is made at once where nobody can be asked', async () => {
    await withClient(way, {}, async (client) => {
      expect((await client.callTool('gemini_trust_update', PIN)).structuredContent).toMatchObject({ changed: true });
    });
  });

  test('that changes nothing is not asked about', async () => {
    const onQuestion = (): never => {
      throw new Error('nobody must be asked');
    };
    await withClient(way, {}, async (client) => {
      await client.callTool('gemini_trust_update', PIN);
    });
    await withClient(way, { onQuestion }, async (client) => {
      expect((await client.callTool('gemini_trust_update', PIN)).structuredContent).toMatchObject({ changed: false });
    });
  });
});

test.each<[Wiring, ClientKind]>([
  ['stdio', 'v1'],
  ['stdio', 'v2'],
])('a person who does not answer in time has not agreed: %s, client %s', async (wiring, kind) => {
  const onQuestion = (): Promise<PersonsAnswer> => new Promise(() => undefined);
  await withClient(
    [wiring, kind],
    { onQuestion },
    async (client) => {
      const result = await client.callTool('gemini_trust_update', PIN);
      expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: 'USER_DECLINED' } } });
      expect(await pinned(client)).toMatchObject({ entries: [] });
    },
    50,
  );
});

test('two clients of one server are asked or not as each of them can be', async () => {
  const server = await serveReal('http', { GEMINI_TOFU_STORAGE_PATH: join(folder.path, 'tofu.json') });
  const asked: string[] = [];
  const onQuestion = (message: string): PersonsAnswer => {
    asked.push(message);
    return { action: 'decline' };
  };
  const careful = await server.connect('v1', { onQuestion });
  const silent = await server.connect('v2');
  const late = await server.connect('v1', { onQuestion });
  expect((await silent.callTool('gemini_trust_update', PIN)).structuredContent).toMatchObject({ changed: true });
  expect(asked).toEqual([]);
  const other = { ...PIN, host: 'other.example' };
  expect(await careful.callTool('gemini_trust_update', other)).toMatchObject({ isError: true });
  expect(await late.callTool('gemini_trust_update', other)).toMatchObject({ isError: true });
  expect(asked).toHaveLength(2);
  for (const client of [careful, silent, late]) await client.close();
  await server.close();
});
