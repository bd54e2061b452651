import { describe, expect, test } from '@jest/globals';
import { finish } from '../../../../src/common/steps.js';
import { isRefused } from '../../../../src/safety/core/robots-decision.js';
import { AI_AGENTS, parseRobots, type RobotsAgents } from '../../../../src/safety/core/robots-rules.js';

const GEMINI: RobotsAgents = { own: ['gopher-mcp', 'webproxy', 'indexer'], additional: AI_AGENTS };
const GOPHER: RobotsAgents = { own: ['gopher-mcp'], additional: AI_AGENTS };

function refuses(text: string, path: string, agents = GEMINI): boolean {
  return isRefused(finish(parseRobots(text, agents)), [path]);
}

describe('the grammar', () => {
  const cases: [string, string][] = [
    ['plain', 'User-agent: *\nDisallow: /x\n'],
    ['no final line break', 'User-agent: *\nDisallow: /x'],
    ['CRLF', 'User-agent: *\r\nDisallow: /x\r\n'],
    ['CR', 'User-agent: *\rDisallow: /x\r'],
    ['a byte order mark', '\uFEFFUser-agent: *\nDisallow: /x\n'],
    ['names in any case', 'USER-AGENT: *\ndisALLOW: /x\n'],
    ['blanks around the colon and the line', '  User-agent \t:\t*  \n Disallow : /x \n'],
    ['no blanks at all', 'User-agent:*\nDisallow:/x\n'],
    ['comments', '# all\nUser-agent: * # us\n# and\nDisallow: /x#y\n'],
    ['blank lines inside a group', 'User-agent: *\n\n\nDisallow: /x\n'],
    ['lines that are no fields', 'hello\nUser-agent: *\nwelcome to my hole\nDisallow: /x\n.\n'],
    ['several rules', 'User-agent: *\nDisallow: /a\nDisallow: /x\n'],
    ['other fields between rules', 'User-agent: *\nCrawl-delay: 5\nSitemap: gemini://a/\nDisallow: /x\n'],
    [
      'a group in two places',
      'User-agent: *\nDisallow: /a\n\nUser-agent: none\nDisallow:\n\nUser-agent: *\nDisallow: /x\n',
    ],
  ];
  test.each(cases)('reads %s', (_name, text) => {
    expect(refuses(text, '/x/y')).toBe(true);
    expect(refuses(text, '/other')).toBe(false);
  });

  test.each(cases)('reads %s the same with a page behind it', (_name, text) => {
    expect(refuses(`${text}\n=> //[::1 broken\n# heading\n`, '/x/y')).toBe(true);
  });

  test.each([
    ['nothing', ''],
    ['rules without an agent line', 'Disallow: /\n'],
    ['a page', '# Welcome\n=> http://[oops broken\nDisallow: /\n'],
    ['a Gopher error', '3Not found\t\terror.host\t1\r\n.\r\n'],
    ['an empty rule', 'User-agent: *\nDisallow:\n'],
    ['a rule that is only a comment', 'User-agent: *\nDisallow: # /\n'],
    ['an Allow line', 'User-agent: *\nAllow: /\n'],
    ['a misspelt field', 'User-agent: *\nDisalow: /\n'],
  ])('%s restricts nothing', (_name, text) => {
    expect(finish(parseRobots(text, GEMINI))).toEqual([]);
  });

  test('Allow does not open what Disallow closes', () => {
    expect(refuses('User-agent: *\nDisallow: /private\nAllow: /private/ok\n', '/private/ok')).toBe(true);
  });
});

describe('groups', () => {
  test('agent lines in a row share their rules', () => {
    const text = 'User-agent: researcher\nUser-agent: webproxy\nDisallow: /x\n';
    expect(refuses(text, '/x')).toBe(true);
  });

  test.each(['Allow: /', 'Crawl-delay: 5', 'Sitemap: gemini://a/', 'Whatever: x', 'Disallow:'])(
    '"%s" ends a run of agent lines',
    (line) => {
      expect(refuses(`User-agent: webproxy\n${line}\nUser-agent: archiver\nDisallow: /x\n`, '/x')).toBe(false);
    },
  );

  test('a group that names us switches the one for everybody off, even if it is empty', () => {
    expect(refuses('User-agent: *\nDisallow: /\n\nUser-agent: webproxy\nDisallow: /cgi\n', '/docs')).toBe(false);
    expect(refuses('User-agent: *\nDisallow: /\n\nUser-agent: gopher-mcp\nDisallow:\n', '/docs')).toBe(false);
    expect(refuses('User-agent: *\nDisallow: /\n\nUser-agent: gopher-mcp\n', '/docs')).toBe(false);
  });

  test('all groups that name us count together', () => {
    const text = 'User-agent: indexer\nDisallow: /a\n\nUser-agent: gopher-mcp\nDisallow: /b\n';
    expect(['/a', '/b', '/c'].map((path) => refuses(text, path))).toEqual([true, true, false]);
  });

  test.each(['archiver', 'researcher', 'gopher', 'gopher-mcp-extra', 'my-gopher-mcp'])('%s is not us', (agent) => {
    expect(refuses(`User-agent: ${agent}\nDisallow: /\n`, '/x')).toBe(false);
  });

  test('which names are ours is the protocol’s to say', () => {
    const text = 'User-agent: webproxy\nDisallow: /\n';
    expect(refuses(text, '/x', GEMINI)).toBe(true);
    expect(refuses(text, '/x', GOPHER)).toBe(false);
  });

  test.each(['gopher-mcp/1', 'Gopher-MCP/1.2.3', 'gopher-mcp 1.0', 'GOPHER-MCP'])('%s is us', (agent) => {
    expect(refuses(`User-agent: ${agent}\nDisallow: /\n`, '/x')).toBe(true);
  });
});

describe('groups that name an AI crawler', () => {
  const withoutAi = { ...GOPHER, additional: [] };

  test.each(AI_AGENTS)('%s', (agent) => {
    const text = `User-agent: ${agent.toUpperCase()}/2\nDisallow: /noai\n`;
    expect(refuses(text, '/noai', GOPHER)).toBe(true);
    expect(refuses(text, '/noai', withoutAi)).toBe(false);
  });

  test('add to the group for everybody instead of replacing it', () => {
    const text = 'User-agent: *\nDisallow: /a\n\nUser-agent: ClaudeBot\nDisallow: /noai\n';
    expect(['/a', '/noai', '/c'].map((path) => refuses(text, path))).toEqual([true, true, false]);
  });

  test('add to the group that names us', () => {
    const text =
      'User-agent: *\nDisallow: /a\n\nUser-agent: gopher-mcp\nDisallow: /me\n\nUser-agent: GPTBot\nDisallow: /noai\n';
    expect(['/a', '/me', '/noai'].map((path) => refuses(text, path))).toEqual([false, true, true]);
  });

  test('share a group with us or with everybody', () => {
    expect(
      refuses('User-agent: *\nUser-agent: GPTBot\nDisallow: /a\n\nUser-agent: gopher-mcp\nDisallow:\n', '/a'),
    ).toBe(true);
    expect(refuses('User-agent: *\nUser-agent: GPTBot\nDisallow: /a\n', '/a', withoutAi)).toBe(true);
  });
});

test('rules are plain data', () => {
  const rules = finish(parseRobots('User-agent: *\nDisallow: /a%20*b$\n', GEMINI));
  expect(JSON.parse(JSON.stringify(rules))).toEqual(rules);
});

test('a rule said many times is kept once', () => {
  expect(finish(parseRobots(`User-agent: *\n${'Disallow: /x\n'.repeat(1000)}`, GEMINI))).toHaveLength(1);
});
