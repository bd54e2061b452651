import { describe, expect, test } from '@jest/globals';
import { parseAuthority } from '../../../../src/common/net/authority.js';

describe('parseAuthority', () => {
  test.each([
    ['host', null, 'host', null],
    ['host:70', null, 'host', 70],
    ['host:', null, 'host', null],
    ['host:0070', null, 'host', 70],
    ['host:65535', null, 'host', 65535],
    ['HOST.', null, 'HOST.', null],
    ['user@host', 'user', 'host', null],
    ['user:pw@host:1', 'user:pw', 'host', 1],
    ['a@b@host', 'a@b', 'host', null],
    ['@host', '', 'host', null],
    ['[::1]', null, '::1', null],
    ['[::1]:1965', null, '::1', 1965],
    ['[::1]:', null, '::1', null],
    ['user@[fe80::1%25eth0]:7', 'user', 'fe80::1%25eth0', 7],
    ['', null, '', null],
    [':70', null, '', 70],
  ])('%j', (text, userinfo, host, port) => {
    expect(parseAuthority(text)).toEqual({ userinfo, host, port });
  });

  test.each([
    ['port zero', 'host:0'],
    ['a port above 65535', 'host:65536'],
    ['a port of many digits', `host:${'9'.repeat(400)}`],
    ['a negative port', 'host:-1'],
    ['a port with blanks', 'host: 70'],
    ['digits that are not ASCII', 'host:７０'],
    ['an unclosed bracket', '[::1'],
    ['text between bracket and port', '[::1]x:70'],
    ['brackets around a name', '[host]'],
    ['empty brackets', '[]'],
    ['a bare IPv6 address', '::1'],
    ['two ports', 'host:70:71'],
  ])('%s is malformed', (_, text) => {
    expect(parseAuthority(text)).toBeNull();
  });
});
