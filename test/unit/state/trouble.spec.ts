import { expect, test } from '@jest/globals';
import { troubleOf } from '../../../src/state/core/trouble.js';

test.each([
  ['LOADING Redis is loading the dataset in memory', 'away'],
  ["READONLY You can't write against a read only replica.", 'away'],
  ['The client is closed', 'away'],
  ['Socket closed unexpectedly', 'away'],
  ["OOM command not allowed when used memory > 'maxmemory'.", 'full'],
  ['NOAUTH Authentication required.', 'refused'],
  ["ERR unknown command 'X'", 'refused'],
  ['WRONGTYPE Operation against a key holding the wrong kind of value', 'refused'],
])('%s is %s', (message, trouble) => {
  expect(troubleOf(message)).toBe(trouble);
});
