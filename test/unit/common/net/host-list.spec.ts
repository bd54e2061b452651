import { describe, expect, test } from '@jest/globals';
import { HostList } from '../../../../src/common/net/host-list.js';

const LIST = new HostList(['a.example', '.B.example', '192.0.2.1', '.198.51.100.1', 'not a host', '..', '']);

describe('a list of hosts', () => {
  test.each([
    ['a.example', true],
    ['x.a.example', false],
    ['b.example', false],
    ['x.b.example', true],
    ['x.y.b.example', true],
    ['xb.example', false],
    ['192.0.2.1', true],
    ['198.51.100.1', false],
    ['example', false],
    ['', false],
  ])('%s: %p', (host, expected) => {
    expect(LIST.has(host)).toBe(expected);
  });

  test('of nothing has nothing', () => {
    expect(new HostList([]).has('a.example')).toBe(false);
  });
});
