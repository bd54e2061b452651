import { expect, test } from '@jest/globals';
import { isLoopbackHost } from '../../../../src/common/net/loopback.js';

test.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['127.255.255.254', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['128.0.0.1', false],
  ['127.0.0.1.example', false],
  ['127.example', false],
  ['127.0.0.999', false],
  ['localhost.example', false],
])('%s is this machine alone: %s', (host, isLoopback) => {
  expect(isLoopbackHost(host)).toBe(isLoopback);
});
