import { describe, expect, test } from '@jest/globals';
import { err, ok } from '../../../src/common/result.js';
import { WatchedStores, type WatchedStore } from '../../../src/common/watched-stores.js';

function store(entries: number | null, isWritable: boolean): WatchedStore {
  const found = new Map(Array.from({ length: entries ?? 0 }, (_, index) => [String(index), index]));
  return {
    readAll: () => Promise.resolve(entries === null ? err('damaged') : ok(found)),
    isWritable: () => Promise.resolve(isWritable),
  };
}

describe('watched stores', () => {
  test('are told in the order in which they were added', async () => {
    const watched = new WatchedStores();
    watched.add('pins', store(3, true));
    watched.add('identities', store(0, true), { isShared: true });
    expect(await watched.look()).toEqual([
      { name: 'pins', entries: 3, isUsable: true, isShared: false },
      { name: 'identities', entries: 0, isUsable: true, isShared: true },
    ]);
  });

  test.each([
    ['cannot be read', store(null, true), {}, { entries: null, isUsable: false }],
    ['cannot be written', store(1, false), {}, { entries: 1, isUsable: false }],
    ['cannot be written, and never is', store(1, false), { isWritten: false }, { entries: 1, isUsable: true }],
    [
      'cannot be read, and is never written',
      store(null, false),
      { isWritten: false },
      { entries: null, isUsable: false },
    ],
  ])('one that %s', async (_, given, options, state) => {
    const watched = new WatchedStores();
    watched.add('pins', given, options);
    expect(await watched.look()).toEqual([{ name: 'pins', isShared: false, ...state }]);
  });
});
