/**
 * Reads the trees of real Gopher servers through the built server and compares them with the files on disk.
 *
 * pygopherd sends files as they are. gophernicus takes text for text: it recodes Latin-1 to UTF-8, ends each line with
 * CRLF, cuts a line at NUL and breaks long ones, so that is what can be read of a file there.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';

import { objectsOf, textOf, type JsonObject } from '../support/json.js';
import { readRealServers } from '../support/real-servers.js';
import { ToolSession, type Transport } from '../support/tool-session.js';

jest.setTimeout(120_000);

const SETTINGS = {
  GOPHER_ALLOW_LOCAL_HOSTS: 'true',
  GOPHER_REQUESTS_PER_MINUTE: '0',
  GOPHER_MAX_RESPONSE_SIZE: '4194304',
};
const MIB = 1_048_576;

const { host, ports, gopherRoot } = readRealServers();

function onDisk(name: string): Buffer {
  return readFileSync(path.join(gopherRoot, name));
}

describe.each<Transport>(['stdio', 'streamable-http'])('over %s', (transport) => {
  let session: ToolSession;

  beforeAll(async () => {
    session = await ToolSession.start(transport, SETTINGS);
  });

  afterAll(() => session.close());

  describe.each(['gophernicus', 'pygopherd'] as const)('%s', (server) => {
    const url = (rest: string): string => `gopher://${host}:${ports[server]}${rest}`;
    const fetch = (rest: string, args: JsonObject = {}): Promise<JsonObject> =>
      session.call('gopher_fetch', { url: url(rest), ...args });

    test('the root menu has every line of the gophermap on disk, in order', async () => {
      const { items, kind } = await fetch('/1/');
      expect(kind).toBe('menu');
      const wanted = onDisk('gophermap').toString().trimEnd().split('\n').map(menuLine);
      const got = objectsOf(items).map(({ type, title }) => ({ type, title }));
      // gophernicus adds a footer of two lines.
      expect(got.slice(0, wanted.length)).toEqual(wanted);
      expect(got.slice(wanted.length).every(({ type }) => type === 'i')).toBe(true);
    });

    test('links out of the menu lead where the gophermap says', async () => {
      const links = new Map(objectsOf((await fetch('/1/'))['items']).map((item) => [item['title'], item['next_url']]));
      expect(Object.fromEntries(links)).toMatchObject({
        'Text, LF': url('/0/text/lf.txt'),
        'A folder with a space in its name': url('/1/sub/with%20space'),
        'A page on the web': 'https://example.org/?a=1&b=2',
        'A capsule': `gemini://localhost:${ports.molly}/`,
        'The other server': `gopher://${host}:${ports.pygopherd}/1/`,
        'An error line': '',
      });
    });

    test.each([
      ['lf.txt', 'first\nsecond\n\nlast\n'],
      ['crlf.txt', 'first\nsecond\n\nlast\n'],
      ['latin1.txt', 'Garçon, un café crème: £2 für alle\n'],
      ['utf8.txt', 'Café crème, Grüße, £ €, 日本語, 🚀, e\u0301 combined\n'],
      ['utf8bom.txt', 'after a byte order mark\n'],
      ['dots.txt', '.profile\n..two\n... three\n.\ttab\n. \nend\n'],
      ['lonedot.txt', 'before\n.\nafter\n'],
      ['empty.txt', ''],
    ])('text/%s reads as on disk', async (name, text) => {
      expect(await fetch(`/0/text/${name}`)).toMatchObject({ kind: 'text', text, truncated: false });
    });

    test('text/big.txt reads as on disk when next_offset is followed', async () => {
      const windows = await session.walk('gopher_fetch', { url: url('/0/text/big.txt') });
      expect(windows.length).toBeGreaterThan(4);
      const joined = windows.map((window) => textOf(window['text'])).join('');
      expect(joined === onDisk('text/big.txt').toString()).toBe(true);
      expect(windows[0]).toMatchObject({ total_chars: joined.length });
    });

    test.each([
      ['g', 'img/pixel.gif', 'image/gif'],
      ['I', 'img/pixel.png', 'image/png'],
      ['I', 'img/pixel.jpg', 'image/jpeg'],
      ['s', 'bin/beep.wav', 'audio/wav'],
      ['9', 'bin/all.bin', 'application/octet-stream'],
      ['9', 'bin/big.bin', 'application/octet-stream'],
      ['5', 'bin/a.tar.gz', 'application/gzip'],
      ['d', 'bin/doc.pdf', 'application/pdf'],
    ])('%s item %s is told by size and media type, not by content', async (type, name, mime_type) => {
      const bytes = onDisk(name).length;
      expect(await fetch(`/${type}/${name}`)).toMatchObject({ kind: 'binary', bytes, mime_type });
    });

    test('an HTML page comes as it is', async () => {
      expect(await fetch('/h/page.html')).toMatchObject({ kind: 'text', text: onDisk('page.html').toString() });
    });

    test('a listing of 600 files has all of them, and the first and the last can be fetched', async () => {
      const windows = await session.walk('gopher_fetch', { url: url('/1/many') });
      const files = windows.flatMap((window) => objectsOf(window['items'])).filter(({ type }) => type === '0');
      expect(files).toHaveLength(600);
      for (const [item, text] of [[files.at(0), 'file 0\n'] as const, [files.at(-1), 'file 599\n'] as const]) {
        const next = { url: textOf(item?.['next_url']) };
        expect(await session.call('gopher_fetch', next)).toMatchObject({ kind: 'text', text });
      }
    });

    test('a menu of 2000 links is complete when next_offset is followed', async () => {
      const windows = await session.walk('gopher_fetch', { url: url('/1/longmap') });
      expect(windows.length).toBeGreaterThan(1);
      const titles = windows.flatMap((window) => objectsOf(window['items'])).filter(({ type }) => type === '0');
      expect(titles.map(({ title }) => title)).toEqual(Array.from({ length: 2000 }, (_, index) => `Link ${index}`));
    });

    // gophernicus escapes selectors of listings in octal (`#040`), and understands what it wrote.
    test('every file below a listing with blanks, percent signs and umlauts is found by its next_url', async () => {
      const seen = new Set<string>();
      const texts = await crawl(url('/1/sub'), seen);
      expect(texts.sort()).toEqual(
        [
          'a leaf\n',
          'beyond ASCII in the selector\n',
          'in a folder\n',
          'percent signs in the selector\n',
          'spaces in the selector\n',
        ].sort(),
      );
    });

    async function crawl(from: string, seen: Set<string>): Promise<string[]> {
      seen.add(from);
      const texts: string[] = [];
      for (const item of objectsOf((await session.call('gopher_fetch', { url: from }))['items'])) {
        const next = textOf(item['next_url']);
        // Not up again: gophernicus lists the folder above.
        if (next === '' || seen.has(next) || !textOf(item['selector']).startsWith('/sub/')) continue;
        if (item['type'] === '1' && !textOf(item['title']).startsWith('..')) {
          texts.push(...(await crawl(next, seen)));
        } else if (item['type'] === '0') {
          texts.push(textOf((await session.call('gopher_fetch', { url: next }))['text']));
        }
      }
      return texts;
    }

    test('a search sends its terms and gives the menu of the script', async () => {
      const { kind, items } = await fetch('/7/cgi-bin/search', { search: 'moon rocks & more' });
      expect(kind).toBe('menu');
      expect(objectsOf(items)[0]).toMatchObject({ type: 'i', title: 'Searched for: moon rocks & more' });
      const next = { url: textOf(objectsOf(items)[1]?.['next_url']) };
      expect(await session.call('gopher_fetch', next)).toMatchObject({ text: 'first\nsecond\n\nlast\n' });
    });

    test('a script may take three seconds', async () => {
      expect(await fetch('/0/cgi-bin/slow')).toMatchObject({ kind: 'text', text: 'three seconds later\n' });
    });

    test.each(['/0/private/secret.txt', '/0/aibot/x.txt'])('robots.txt forbids %s', async (rest) => {
      expect(await fetch(rest)).toMatchObject({ kind: 'error', error: { code: 'BLOCKED_BY_ROBOTS' } });
    });

    test('a telnet item is not dialled', async () => {
      expect(await fetch('/8/guest')).toMatchObject({ kind: 'error', error: { code: 'NOT_FETCHABLE' } });
    });

    test('a second fetch is a cached replay, a refresh is not', async () => {
      await fetch('/0/text/lf.txt');
      expect(await fetch('/0/text/lf.txt')).toMatchObject({ cached: true, text: 'first\nsecond\n\nlast\n' });
      expect(await fetch('/0/text/lf.txt', { refresh: true })).toMatchObject({ cached: false });
    });

    test('a batch gives one result for each URL, in order', async () => {
      const urls = [url('/0/text/lf.txt'), url('/8/guest'), url('/g/img/pixel.gif'), 'http://example.org/'];
      const { result } = await session.call('gopher_batch_fetch', { urls });
      expect(objectsOf(result).map(({ kind }) => kind)).toEqual(['text', 'error', 'binary', 'error']);
    });
  });

  describe('where the two servers differ', () => {
    const at = (server: 'gophernicus' | 'pygopherd', rest: string): Promise<JsonObject> =>
      session.call('gopher_fetch', { url: `gopher://${host}:${ports[server]}${rest}` });

    test('a missing final line end stays missing (pygopherd) or is added by the server (gophernicus)', async () => {
      expect(await at('pygopherd', '/0/text/nonl.txt')).toMatchObject({ text: 'no line end' });
      expect(await at('gophernicus', '/0/text/nonl.txt')).toMatchObject({ text: 'no line end\n' });
    });

    test('lines of 4000 characters stay whole (pygopherd) or are broken by the server (gophernicus)', async () => {
      const text = onDisk('text/longlines.txt').toString();
      expect(await at('pygopherd', '/0/text/longlines.txt')).toMatchObject({ text });
      const broken = textOf((await at('gophernicus', '/0/text/longlines.txt'))['text']);
      expect(broken.replaceAll('\n', '')).toBe(text.replaceAll('\n', ''));
    });

    test('Windows-1252 is recognised (pygopherd), or already lost as C1 controls (gophernicus)', async () => {
      expect(await at('pygopherd', '/0/text/cp1252.txt')).toMatchObject({
        text: '\u201cquoted\u201d \u2013 \u20ac5\n',
      });
      expect(await at('gophernicus', '/0/text/cp1252.txt')).toMatchObject({ text: 'quoted  5\n' });
    });

    test('UTF-16 is read by its mark (pygopherd); gophernicus cuts it at its first NUL', async () => {
      expect(await at('pygopherd', '/0/text/utf16.txt')).toMatchObject({ text: 'sixteen bits each\n' });
      expect(await at('gophernicus', '/0/text/utf16.txt')).toMatchObject({ kind: 'text' });
    });

    test('controls, escape sequences and bidi overrides are gone; gophernicus cuts the line at NUL', async () => {
      const cut = 'red RED bell  nul ';
      expect(await at('pygopherd', '/0/text/control.txt')).toMatchObject({ text: `${cut} bidi abc zerowidth\ttab\n` });
      expect(await at('gophernicus', '/0/text/control.txt')).toMatchObject({ text: `${cut}\n` });
    });

    test('a missing file is a Gopher error line (pygopherd) or prose (gophernicus)', async () => {
      expect(await at('pygopherd', '/0/text/nosuch.txt')).toMatchObject({
        kind: 'error',
        error: { code: 'GOPHER_ERROR', meta: expect.stringContaining('does not exist') },
      });
      const { text } = await at('gophernicus', '/0/text/nosuch.txt');
      expect(text).toEqual(expect.stringContaining('not found'));
    });

    test('a missing menu shows what the server said', async () => {
      const [item] = objectsOf((await at('pygopherd', '/1/nosuch'))['items']);
      expect(item).toMatchObject({ type: '3', title: expect.stringContaining('does not exist'), next_url: '' });
      const answer = await at('gophernicus', '/1/nosuch');
      expect(JSON.stringify(answer)).toContain('not found');
    });
  });
});

describe('with the default limits', () => {
  let session: ToolSession;

  beforeAll(async () => {
    session = await ToolSession.start('stdio', { ...SETTINGS, GOPHER_MAX_RESPONSE_SIZE: String(MIB) });
  });

  afterAll(() => session.close());

  test('a text of more than one MiB is given as far as the limit reaches, and says so', async () => {
    const url = `gopher://${host}:${ports.pygopherd}/0/text/big.txt`;
    const payload = await session.call('gopher_fetch', { url });
    expect(payload).toMatchObject({ kind: 'text', incomplete: true, incomplete_reason: 'size_cap' });
    const text = onDisk('text/big.txt').toString();
    expect(text.startsWith(textOf(payload['text']))).toBe(true);
    expect(payload['total_chars']).toBeLessThanOrEqual(MIB);
  });
});

/** Type and title that a line of a gophermap stands for; a line without a tab is an info line. */
function menuLine(line: string): { type: string; title: string } {
  if (!line.includes('\t')) return { type: 'i', title: line };
  return { type: line.slice(0, 1), title: line.slice(1).split('\t', 1)[0] ?? '' };
}
