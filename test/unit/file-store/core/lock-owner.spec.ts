import { describe, expect, test } from '@jest/globals';
import {
  hostLabel,
  judgeOwner,
  ownerMark,
  parseOwnerMark,
  type LockOwner,
} from '../../../../src/file-store/core/lock-owner.js';

const OWNER: LockOwner = { pid: 42, started: '1000', host: 'box_b007_4026531836' };
const SELF: LockOwner = { pid: 7, started: '2000', host: OWNER.host };

describe('owner marks', () => {
  test('name their owner', () => {
    expect(ownerMark(OWNER, '0123456789abcdef')).toBe('42.1000.0123456789abcdef.box_b007_4026531836');
    expect(parseOwnerMark(ownerMark(OWNER, '0123456789abcdef'))).toEqual(OWNER);
  });

  test('keep a host name with dots whole', () => {
    const owner = { ...OWNER, host: 'a.b-c.example' };
    expect(parseOwnerMark(ownerMark(owner, 'ff'))).toEqual(owner);
  });

  test.each([
    '',
    'owner.json',
    '42',
    '42.1000',
    '42.1000.ff',
    'x.1000.ff.box',
    '42.x.ff.box',
    '42.1000.FF.box',
    '42.1000.ff.a b',
  ])('are not mistaken in %j', (mark) => expect(parseOwnerMark(mark)).toBeNull());
});

describe('judgeOwner', () => {
  test.each([
    ['an owner on another host', { ...OWNER, host: 'other' }, { running: false }, 'unknown'],
    ['a process that is gone', OWNER, { running: false }, 'dead'],
    ['the process that runs', OWNER, { running: true, started: '1000' }, 'alive'],
    ['a later process with the same id', OWNER, { running: true, started: '1001' }, 'dead'],
    ['a process whose start is not known', OWNER, { running: true, started: null }, 'unknown'],
    ['this process', SELF, { running: true, started: null }, 'alive'],
    [
      'an earlier process with the id of this one',
      { ...SELF, started: '1' },
      { running: true, started: '2000' },
      'dead',
    ],
  ] as const)('of %s', (_, owner, seen, verdict) => {
    expect(judgeOwner(owner, SELF, seen)).toBe(verdict);
  });
});

test('hostLabel leaves what a file name may hold', () => {
  expect(hostLabel('my host/1:ü')).toBe('my_host_1__');
  expect(hostLabel('x'.repeat(300))).toHaveLength(64);
});
