import { describe, expect, test } from '@jest/globals';
import { fetchCommand } from '../../../src/cli/fetch.command.js';
import type { ToolAnswer } from '../../../src/cli/command-context.js';
import { answer, CommandBench } from '../../support/command-bench.js';

const HOSTILE = 'a\u001b[31mb\u0007\u009b2Jc\u202ed\r';

const MENU = {
  kind: 'menu',
  items: [
    { type: 'i', title: `Hello ${HOSTILE}`, next_url: '' },
    { type: '1', title: HOSTILE, next_url: 'gopher://h/1\u001b]0;x\u0007' },
    { type: '3', title: 'gone', next_url: '' },
    { type: 'Z', title: 'odd', next_url: 'gopher://h/Z' },
  ],
};

const GEMTEXT = {
  kind: 'gemtext',
  document: {
    lines: [
      { type: 'heading2', content: '## Head', text: 'Head', level: 2 },
      { type: 'text', content: 'one two three four five six' },
      { type: 'link', content: '=> /a A', link: { url: 'gemini://h/a', text: `A${HOSTILE}` } },
      { type: 'link', content: '=> /b', link: { url: 'gemini://h/b', text: null } },
      { type: 'list', content: '* item', text: 'item' },
      { type: 'quote', content: '> said by somebody else, at length', text: 'said by somebody else, at length' },
      { type: 'preformat', content: ' x\n  y' },
    ],
  },
};

describe('a page', () => {
  test('of a menu has numbered links and the kinds of its items, and nothing that a terminal acts on', async () => {
    const bench = new CommandBench({ tool: () => answer(MENU) });
    expect(await bench.run(fetchCommand, 'gopher://h/')).toBe(0);
    expect(bench.stdout.split('\n')).toEqual([
      '               Hello a[31mb2Jcd',
      '          menu [1] a[31mb2Jcd  gopher://h/1]0;x',
      '         error gone',
      '        type Z [2] odd  gopher://h/Z',
      '',
    ]);
    expect(bench.open).toBe(0);
  });

  test('of gemtext is wrapped where there is a terminal', async () => {
    const bench = new CommandBench({ tool: () => answer(GEMTEXT), terminal: { columns: 24 } });
    await bench.run(fetchCommand, 'gemini://h/');
    expect(bench.stdout.split('\n')).toEqual([
      '## Head',
      'one two three four five',
      'six',
      '[1] Aa[31mb2Jcd  gemini://h/a',
      '[2] gemini://h/b',
      '* item',
      '> said by somebody else,',
      '> at length',
      ' x',
      '  y',
      '',
    ]);
  });

  test('of gemtext stays as it is where there is none', async () => {
    const bench = new CommandBench({ tool: () => answer(GEMTEXT) });
    await bench.run(fetchCommand, 'gemini://h/');
    expect(bench.stdout).toContain('\none two three four five six\n');
  });

  test('is coloured where colours are shown', async () => {
    const bench = new CommandBench({ tool: () => answer(GEMTEXT), terminal: { hasColours: true } });
    await bench.run(fetchCommand, 'gemini://h/');
    expect(bench.stdout).toContain('\u001b[1;36m## Head\u001b[22;39m');
    expect(bench.stdout).not.toContain('\u001b[31mb');
  });

  test.each([
    [{ kind: 'text', text: 'a\tb\n' }, 'a\tb\n'],
    [{ kind: 'success', content: HOSTILE }, 'a[31mb2Jcd\n'],
    [{ kind: 'gemtext', document: { links: [{ url: 'gemini://h/x', text: 'X' }] } }, '[1] X  gemini://h/x\n'],
    [{ kind: 'binary', bytes: 7, mime_type: 'image/gif', note: 'No.' }, 'image/gif, 7 bytes.\nNo.\n'],
    [
      { kind: 'binary', size: 7, mime_type: { type: 'image', subtype: 'png' }, note: 'No.' },
      'image/png, 7 bytes.\nNo.\n',
    ],
  ])('%j', async (payload, shown) => {
    const bench = new CommandBench({ tool: () => answer(payload) });
    expect(await bench.run(fetchCommand, 'gemini://h/')).toBe(0);
    expect(bench.stdout).toBe(shown);
  });

  test('is JSON for programs, and its exit code tells a failure', async () => {
    const payload = { kind: 'error', error: { code: 'DNS_ERROR', message: 'no' } };
    const bench = new CommandBench({ tool: () => answer(payload) });
    expect(await bench.run(fetchCommand, 'gopher://h/', '--json')).toBe(1);
    expect(JSON.parse(bench.stdout)).toEqual(payload);
    expect(bench.stderr).toBe('');
  });
});

describe('what is asked of the tool', () => {
  test.each<[string[], string, object]>([
    [['gopher://h/7/s', '--search', 'a b'], 'gopher_fetch', { url: 'gopher://h/7/s', search: 'a b' }],
    [['GOPHER://h/', '--refresh'], 'gopher_fetch', { url: 'GOPHER://h/', refresh: true }],
    [['gemini://h/', '-i', '', '--offset', '5'], 'gemini_fetch', { url: 'gemini://h/', input: '', offset: 5 }],
    [['gemini://h/', '--format', 'links'], 'gemini_fetch', { url: 'gemini://h/', format: 'links' }],
    [['https://h/'], 'gemini_fetch', { url: 'https://h/' }],
  ])('%j', async (argv, name, args) => {
    const bench = new CommandBench({ tool: () => answer({ kind: 'text', text: '' }) });
    await bench.run(fetchCommand, ...argv);
    expect(bench.calls).toEqual([{ name, args, consent: 'unasked' }]);
  });

  test.each([
    [['gemini://h/', '--search', 'x'], '--search is for gopher:// URLs'],
    [['gopher://h/', '--input', 'x'], '--input is for gemini:// URLs'],
  ])('%j is refused before anything is opened', async (argv, message) => {
    const bench = new CommandBench();
    expect(await bench.run(fetchCommand, ...argv)).toBe(2);
    expect(bench.stderr).toContain(message);
  });

  test('is nothing while the settings are wrong', async () => {
    const bench = new CommandBench({ env: { GOPHER_MAX_MENU_ITEMS: 'x' } });
    expect(await bench.run(fetchCommand, 'gopher://h/')).toBe(2);
    expect(bench.stderr).toContain('GOPHER_MAX_MENU_ITEMS');
  });
});

describe('what is said beside a page', () => {
  test.each([
    [
      { kind: 'text', text: '', next_offset: 50 },
      "the page goes on: gopher-mcp fetch 'gopher://h/7/s?a' --search 'it'\\''s' --offset 50",
    ],
    [{ kind: 'text', text: '', cached: true, cache_age_seconds: 2.4 }, 'note: read 2 s ago; --refresh reads it anew'],
    [{ kind: 'text', text: '', incomplete: true }, 'note: the page ended early'],
    [{ kind: 'text', text: '', request_info: { tofu_warning: 'Pinned.' } }, 'note: Pinned.'],
  ])('%j', async (payload, note) => {
    const bench = new CommandBench({ tool: () => answer(payload) });
    await bench.run(fetchCommand, 'gopher://h/7/s?a', '--search', "it's");
    expect(bench.stderr).toBe(`${note}\n`);
  });

  test('a failure has its code, the words of the server, and a next step in commands', async () => {
    const error = {
      code: 'CERTIFICATE_CHANGED',
      message: 'Changed.',
      meta: HOSTILE,
      next_step: 'Look at gemini_trust_list.',
    };
    const bench = new CommandBench({ tool: () => answer({ kind: 'error', error }) });
    expect(await bench.run(fetchCommand, 'gemini://h/')).toBe(1);
    expect(bench.stderr.split('\n')).toEqual([
      'error: Changed. [CERTIFICATE_CHANGED]',
      'the server says: a[31mb2Jcd',
      'next step: Look at "gopher-mcp trust list".',
      '',
    ]);
  });

  test('a certificate that is wanted names the command that makes one', async () => {
    const bench = new CommandBench({ tool: () => answer({ kind: 'certificate', status: 60, message: 'Who?' }) });
    expect(await bench.run(fetchCommand, 'gemini://h/m')).toBe(1);
    expect(bench.stderr).toContain('gopher-mcp identity create gemini://h/m');
  });
});

describe('a question of a capsule', () => {
  const tool = ({ args }: { args: { input?: unknown } }): ToolAnswer =>
    answer(
      args.input === undefined
        ? { kind: 'input', prompt: `Word${HOSTILE}`, sensitive: true }
        : { kind: 'text', text: 'in' },
    );

  test('is put to the person, unseen where it is a secret', async () => {
    const bench = new CommandBench({ tool, terminal: { isInteractive: true }, answers: ['xyzzy'] });
    expect(await bench.run(fetchCommand, 'gemini://h/')).toBe(0);
    expect(bench.questions).toEqual([{ question: 'Worda[31mb2Jcd: ', isHidden: true }]);
    expect(bench.calls[1]?.args).toEqual({ url: 'gemini://h/', input: 'xyzzy' });
    expect(bench.stdout).toBe('in\n');
  });

  test('stays open when nobody answers', async () => {
    const bench = new CommandBench({ tool, terminal: { isInteractive: true }, answers: [null] });
    expect(await bench.run(fetchCommand, 'gemini://h/')).toBe(1);
    expect(bench.calls).toHaveLength(1);
  });

  test('is shown where nobody can be asked', async () => {
    const bench = new CommandBench({ tool });
    expect(await bench.run(fetchCommand, 'gemini://h/')).toBe(0);
    expect(bench.stderr).toBe('answer with: gopher-mcp fetch gemini://h/ --input TEXT\n');
  });
});

test('a slow fetch shows that it is under way, and wipes it when it ends', async () => {
  let finish = (): void => undefined;
  const bench = new CommandBench({
    terminal: { showsProgress: true },
    tool: () => new Promise((resolve) => (finish = () => resolve(answer({ kind: 'text', text: 'x' })))),
  });
  const run = bench.run(fetchCommand, 'gopher://h/');
  while (bench.calls.length === 0) await Promise.resolve();
  bench.clock.advance(2500);
  expect(bench.stderr).toContain('fetching ... 2 s');
  finish();
  await run;
  expect(bench.stderr.endsWith('\r\u001b[K')).toBe(true);
});
