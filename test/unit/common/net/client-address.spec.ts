import { expect, test } from '@jest/globals';
import { clientAddress } from '../../../../src/common/net/client-address.js';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8::7', '2001:db8::7'],
  ['::ffff:192.0.2.7', '::ffff:192.0.2.7'],
  ['192.0.2.7:51234', '192.0.2.7'],
  ['[2001:db8::7]:51234', '2001:db8::7'],
  ['unknown', '10.0.0.9'],
  ['_hidden', '10.0.0.9'],
  ['', '10.0.0.9'],
  ['fe80::1%x"\n', '10.0.0.9'],
  ['192.0.2.7, 192.0.2.8', '10.0.0.9'],
])('what is passed on as %j counts as %s', (ip, address) => {
  expect(clientAddress({ ip, socket: { remoteAddress: '10.0.0.9' } })).toBe(address);
});
