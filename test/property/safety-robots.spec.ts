import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { finish } from '../../src/common/steps.js';
import { isRefused } from '../../src/safety/core/robots-decision.js';
import { matches, matchCost, parseRule } from '../../src/safety/core/robots-pattern.js';
import { AI_AGENTS, parseRobots, type RobotsAgents } from '../../src/safety/core/robots-rules.js';

const AGENTS: RobotsAgents = { own: ['gopher-mcp'], additional: AI_AGENTS };

/** What a rule means, tried character by character without any thought of time. */
function naiveMatch(rule: string, path: string): boolean {
  if (rule === '') return true;
  if (rule === '$') return path === '';
  if (rule.startsWith('*')) {
    for (let skip = 0; skip <= path.length; skip++) if (naiveMatch(rule.slice(1), path.slice(skip))) return true;
    return false;
  }
  return path !== '' && rule[0] === path[0] && naiveMatch(rule.slice(1), path.slice(1));
}

const few = (characters: string, maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...characters.split('|')), maxLength });

test('matching agrees with the plain meaning of a rule', () => {
  const rule = fc.tuple(few('a|b|*', 9), fc.constantFrom('', '$')).map((parts) => parts.join(''));
  fc.assert(
    fc.property(rule, few('a|b', 14), (written, path) => {
      const matched = parseRule(written).some((pattern) => matches(pattern, path));
      expect(matched).toBe(naiveMatch(written, path));
    }),
    { numRuns: 2000 },
  );
});

test('long parts are found where a plain search finds them', () => {
  const part = few('a|b', 30).filter((text) => text.length > 8);
  fc.assert(
    fc.property(part, few('a|b', 60), few('a|b', 60), fc.boolean(), (wanted, before, after, present) => {
      const path = before + (present ? wanted : '') + after;
      const [pattern] = parseRule(`*${wanted}`);
      expect(pattern && matches(pattern, path)).toBe(path.includes(wanted));
    }),
    { numRuns: 1000 },
  );
});

test('no text breaks the parser, and what it gives can be matched', () => {
  const line = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string().map((value) => `Disallow:${value}`),
    fc.constantFrom('User-agent: *', 'User-agent: gopher-mcp/2', 'User-agent: GPTBot', '\uFEFFUser-agent: *', '#', ''),
  );
  const text = fc.array(line).chain((lines) => fc.constantFrom('\n', '\r\n', '\r').map((end) => lines.join(end)));
  fc.assert(
    fc.property(text, fc.webPath(), (robots, path) => {
      const rules = finish(parseRobots(robots, AGENTS));
      expect(typeof isRefused(rules, [path, `0${path}`])).toBe('boolean');
    }),
  );
});

test('line ends, blank lines and comments change nothing', () => {
  const line = fc.constantFrom(
    'User-agent: *',
    'User-agent: gopher-mcp',
    'User-agent: claudebot',
    'User-agent: other',
    'Disallow: /a',
    'Disallow: /b',
    'Disallow:',
    'Allow: /a',
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const plain = finish(parseRobots(lines.join('\n'), AGENTS));
      expect(finish(parseRobots(lines.join('\r\n'), AGENTS))).toEqual(plain);
      expect(finish(parseRobots(lines.map((text) => `  ${text} # c`).join('\r\n\r\n'), AGENTS))).toEqual(plain);
    }),
  );
});

test('an escape never hides a path from a rule', () => {
  const segment = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '~', 'ü'), minLength: 1, maxLength: 6 });
  const escapeAll = (text: string): string =>
    [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  fc.assert(
    fc.property(segment, fc.array(segment, { maxLength: 3 }), (name, below) => {
      const rules = finish(parseRobots(`User-agent: *\nDisallow: /${name}\n`, AGENTS));
      const rest = below.map((part) => `/${part}`).join('');
      expect(isRefused(rules, [`/${name}${rest}`])).toBe(true);
      expect(isRefused(rules, [`/${escapeAll(name)}${rest}`])).toBe(true);
      expect(isRefused(rules, [`/x/../${name}${rest}`])).toBe(true);
    }),
  );
});

// Anything that goes back over path or rule takes minutes here instead of milliseconds.
test.each<[string, string]>([
  ['many stars', `/*${'a*'.repeat(100_000)}b`],
  ['one long part', `/*${'a'.repeat(100_000)}b`],
  ['a long part that ends first', `/*b${'a'.repeat(100_000)}`],
  ['long parts between stars', `/*${`${'a'.repeat(300)}b*`.repeat(300)}`],
  ['a long part again and again', `/*${`${'a'.repeat(300)}*`.repeat(300)}b`],
])('matching takes linear time: %s', (_name, rule) => {
  const path = `/${'a'.repeat(200_000)}`;
  const patterns = parseRule(rule);
  const startedMs = performance.now();
  const matched = patterns.some((pattern) => matches(pattern, path));
  expect(performance.now() - startedMs).toBeLessThan(1000);
  expect(matched).toBe(false);
  expect(patterns[0] && matchCost(patterns[0], path)).toBeLessThanOrEqual(rule.length + path.length);
});
