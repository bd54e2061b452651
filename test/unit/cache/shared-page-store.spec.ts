import { beforeEach, describe, expect, test } from '@jest/globals';
import { BoundedStore } from '../../../src/cache/bounded-store.js';
import { encodeAddress } from '../../../src/cache/page-address.js';
import { encodePage } from '../../../src/cache/page-bytes.js';
import type { SharedEntries, SharedReading } from '../../../src/cache/index.js';
import { SharedPageStore } from '../../../src/cache/shared-page-store.js';

const AT = { host: 'example.org:70', resource: '/a', window: '0 full' };
const KEY = encodeAddress(AT);
const page = (text: string) => ({
  kind: 'text',
  fetchedAtMs: 1,
  connection: {},
  constant: Buffer.from(`"text":"${text}"`),
});

let reading: SharedReading;
let asked: string[];
let store: SharedPageStore;

beforeEach(() => {
  reading = { kind: 'unknown' };
  asked = [];
  const shared: SharedEntries = {
    read: async (_at, _field, stamp) => {
      asked.push(stamp);
      return reading;
    },
    write: async () => 'stamp 1',
    dropResource: async () => undefined,
    dropHost: async () => undefined,
    takeOff: async () => 'unknown',
    flightState: async () => 'over',
  };
  store = new SharedPageStore(shared, new BoundedStore({ maxEntries: 10, maxBytes: 1_000_000 }));
});

const read = async (): Promise<string | undefined> => (await store.get(KEY))?.value.page.constant.toString();

describe('a copy of a shared page', () => {
  beforeEach(async () => {
    await store.set(KEY, { value: { page: page('mine') } }, 60_000);
  });

  test('is served while Redis says that it holds, or cannot be asked', async () => {
    expect(await read()).toBe('"text":"mine"');
    reading = { kind: 'same' };
    expect(await read()).toBe('"text":"mine"');
    expect(asked).toEqual(['stamp 1', 'stamp 1']);
  });

  test('is gone once Redis does not know it any more', async () => {
    reading = { kind: 'absent' };
    expect(await read()).toBeUndefined();
    reading = { kind: 'unknown' };
    expect(await read()).toBeUndefined();
  });

  test('is replaced by what another replica stored', async () => {
    reading = { kind: 'entry', bytes: encodePage(page('theirs')), stamp: 'stamp 2', ttlMs: 1000 };
    expect(await read()).toBe('"text":"theirs"');
    reading = { kind: 'same' };
    expect(await read()).toBe('"text":"theirs"');
    expect(asked).toEqual(['stamp 1', 'stamp 2']);
  });

  test('goes with its resource and with its host', async () => {
    await store.dropResource(AT);
    expect(await read()).toBeUndefined();
    await store.set(KEY, { value: { page: page('again') } }, 60_000);
    await store.dropHost(AT.host);
    expect(await read()).toBeUndefined();
  });
});

test('bytes that are no page are a miss', async () => {
  reading = { kind: 'entry', bytes: Buffer.from('nonsense'), stamp: 'stamp 2', ttlMs: 1000 };
  expect(await read()).toBeUndefined();
});
