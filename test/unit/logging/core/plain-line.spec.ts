import { expect, test } from '@jest/globals';
import { plainLine } from '../../../../src/logging/core/plain-line.js';

const AT = '2026-01-31T12:00:00.000000Z';

test.each<[string, object, string]>([
  ['no fields', { level: 'info', timestamp: AT, event: 'started' }, `${AT} info     started\n`],
  [
    'fields of every type',
    {
      level: 'critical',
      timestamp: AT,
      s: 'x',
      n: 1.5,
      b: true,
      z: null,
      l: ['a', 1],
      o: { k: 'v' },
      event: 'two words',
    },
    `${AT} critical two words  s=x n=1.5 b=true z=null l=["a",1] o={"k":"v"}\n`,
  ],
  [
    'texts that could be taken for something else are quoted',
    { level: 'info', timestamp: AT, empty: '', blank: 'a b', equals: 'a=b', quoted: 'a"b', event: 'e' },
    `${AT} info     e  empty="" blank="a b" equals="a=b" quoted="a\\"b"\n`,
  ],
  [
    'controls are escaped in event, names and values',
    { level: 'info', timestamp: AT, 'k\n': 'a\nb', c: '\u009b2K', d: ['\u202e'], event: 'e\r\nforged' },
    `${AT} info     e\\u000d\\u000aforged  k\\u000a="a\\nb" c=\\u009b2K d=["\\u202e"]\n`,
  ],
  ['a record without the usual members', { a: 1 }, `${' '.repeat(12)}a=1\n`],
])('%s', (_, record, line) => {
  expect(plainLine(`${JSON.stringify(record)}\n`)).toBe(line);
});

test.each([
  ['not JSON\n', 'not JSON\n'],
  ['[1]\n', '[1]\n'],
  ['half {"a\u001b\n', 'half {"a\\u001b\n'],
])('%j, which is no record, is kept and made safe', (text, line) => {
  expect(plainLine(text)).toBe(line);
});
