/**
 * Reads the capsules of real Gemini servers through the built server and compares them with the files on disk.
 *
 * All three serve one tree. molly and jetforce run its scripts; agate has none, takes whole headers from `.meta` files
 * and lists no folders; jetforce knows neither redirects by configuration nor languages by folder.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';

import { lookup, objectsOf, textOf, type JsonObject } from '../support/json.js';
import { readRealServers, type GeminiServer } from '../support/real-servers.js';
import { ToolSession, type Transport } from '../support/tool-session.js';

jest.setTimeout(120_000);

const SETTINGS = {
  GEMINI_ALLOW_LOCAL_HOSTS: 'true',
  GEMINI_REQUESTS_PER_MINUTE: '0',
  GEMINI_MAX_RESPONSE_SIZE: '4194304',
};

const { ports, geminiRoot } = readRealServers();

function onDisk(name: string): Buffer {
  return readFileSync(path.join(geminiRoot, name));
}

describe.each<Transport>(['stdio', 'streamable-http'])('over %s', (transport) => {
  let session: ToolSession;

  beforeAll(async () => {
    session = await ToolSession.start(transport, SETTINGS);
  });

  afterAll(() => session.close());

  const urlAt = (server: GeminiServer, rest: string): string => `gemini://localhost:${ports[server]}${rest}`;
  const at = (server: GeminiServer, rest: string, args: JsonObject = {}): Promise<JsonObject> =>
    session.call('gemini_fetch', { url: urlAt(server, rest), ...args });

  describe.each(['molly', 'jetforce', 'agate'] as const)('%s', (server) => {
    const fetch = (rest: string, args: JsonObject = {}): Promise<JsonObject> => at(server, rest, args);

    test('the front page has every line of index.gmi, in order', async () => {
      const page = await fetch('/');
      expect(page).toMatchObject({ kind: 'gemtext', charset: 'utf-8', size: onDisk('index.gmi').length });
      const lines = objectsOf(lookup(page, 'document.lines')).map(({ content }) => textOf(content));
      expect(lines).toEqual(onDisk('index.gmi').toString().trimEnd().split('\n'));
    });

    test('every form of link is resolved', async () => {
      const links = objectsOf(lookup(await fetch('/'), 'document.links')).map(({ text, url }) => [text, url] as const);
      expect(Object.fromEntries(links)).toMatchObject({
        Gemlog: urlAt(server, '/gemlog/'),
        'Feed, after a tab and without a space behind the arrow': urlAt(server, '/gemlog/atom.xml'),
        'Without a scheme': 'gemini://localhost/rel',
        'Only a query': urlAt(server, '/?query'),
        'Only a fragment': urlAt(server, '/#fragment'),
        Dots: urlAt(server, '/index.gmi'),
        Web: 'https://example.org/',
        Mail: 'mailto:nobody@example.org',
      });
    });

    test.each([
      ['/text/utf8.txt', 'Café 日本語 🚀\n'],
      ['/text/plain.txt', 'plain\ntext\n'],
      ['/text/latin1.txt', 'Café\n'],
      ['/text/md.md', '# Markdown\n'],
      ['/gemlog/atom.xml', onDisk('gemlog/atom.xml').toString()],
      ['/gemlog/rss.xml', onDisk('gemlog/rss.xml').toString()],
      ['/text/data.json', '{"a": [1, 2]}\n'],
    ])('%s reads as on disk', async (name, content) => {
      const size = onDisk(name).length;
      expect(await fetch(name)).toMatchObject({ kind: 'success', content, size, truncated: false });
    });

    test('big.gmi has every line of the file when next_offset is followed', async () => {
      const windows = await session.walk('gemini_fetch', { url: urlAt(server, '/big.gmi') });
      expect(windows.length).toBeGreaterThan(4);
      const lines = windows
        .flatMap((window) => objectsOf(lookup(window, 'document.lines')))
        .map(({ content }) => textOf(content));
      // Blanks at the end of a line are dropped; the file has none.
      expect(lines.join('\n') === onDisk('big.gmi').toString().trimEnd()).toBe(true);
      expect(windows.slice(1).every(({ cached }) => cached === true)).toBe(true);
    });

    test.each([
      ['/img/pixel.png', 'png'],
      ['/img/pixel.gif', 'gif'],
      ['/bin/big.bin', 'octet-stream'],
    ])('%s is told by size and media type, not by content', async (name, subtype) => {
      const payload = await fetch(name);
      expect(payload).toMatchObject({ kind: 'binary', size: onDisk(name).length, mime_type: { subtype } });
    });

    test('controls, escape sequences and bidi overrides are gone from lines and links', async () => {
      const { document } = await fetch('/text/control.gmi');
      expect(lookup(document, 'lines.0')).toMatchObject({ type: 'heading1', text: 'ansi red bidi abc' });
      expect(lookup(document, 'links.0')).toMatchObject({ url: urlAt(server, '/x'), text: 'txt.exe' });
    });

    test('CRLF line ends leave no trace', async () => {
      const { document } = await fetch('/text/crlf.gmi');
      expect(objectsOf(lookup(document, 'lines')).map(({ type }) => type)).toEqual(['heading1', 'link', 'list']);
      expect(JSON.stringify(document)).not.toContain(String.raw`\r`);
    });

    test('an empty page is an empty page', async () => {
      expect(await fetch('/text/empty.gmi')).toMatchObject({ kind: 'gemtext', size: 0, total_chars: 0 });
    });

    test('what is missing is a permanent error with the words of the capsule', async () => {
      expect(await fetch('/nosuch')).toMatchObject({
        kind: 'error',
        error: { code: 'PERMANENT_ERROR', status: 51, meta: expect.any(String) },
      });
    });

    // A group that names this client or what it does replaces the group for everybody.
    test.each([
      ['/private/secret.gmi', 'open to us, because a group for webproxy exists', 'gemtext'],
      ['/noproxy/x.gmi', 'forbidden to proxies', 'error'],
      ['/noindex/x.gmi', 'forbidden to indexers', 'error'],
      ['/aibot/x.gmi', 'forbidden to AI crawlers', 'error'],
    ])('robots.txt: %s is %s', async (name, _, kind) => {
      const payload = await fetch(name);
      expect(payload['kind']).toBe(kind);
      if (kind === 'error') expect(payload).toMatchObject({ error: { code: 'BLOCKED_BY_ROBOTS' } });
    });

    test('a second fetch is a cached replay, a refresh is not', async () => {
      await fetch('/text/utf8.txt');
      expect(await fetch('/text/utf8.txt')).toMatchObject({ cached: true });
      expect(await fetch('/text/utf8.txt', { refresh: true })).toMatchObject({ cached: false });
    });
  });

  describe.each(['molly', 'jetforce'] as const)('scripts on %s', (server) => {
    test.each<[status: number, payload: JsonObject]>([
      [10, { kind: 'input', prompt: 'Say something', sensitive: false }],
      [11, { kind: 'input', prompt: 'A secret', sensitive: true }],
      [20, { kind: 'gemtext', lang: 'de' }],
      [30, { kind: 'redirect', new_url: urlAt(server, '/text/plain.txt'), permanent: false, cross_host: false }],
      [31, { kind: 'redirect', new_url: urlAt(server, '/gemlog/'), permanent: true }],
      ...[40, 41, 42, 43].map(temporary),
      ...[50, 51, 52, 53, 59].map(permanent),
      [60, { kind: 'certificate', status: 60, required: true, message: 'a certificate, please' }],
      [61, { kind: 'certificate', status: 61, required: false }],
      [62, { kind: 'certificate', status: 62, required: false }],
    ])('status %i', async (status, payload) => {
      expect(await at(server, `/cgi-bin/s${status}`)).toMatchObject(payload);
    });

    test('an answer to a prompt arrives as it was given', async () => {
      const page = await at(server, '/cgi-bin/s11', { input: 'geheim & größer' });
      // The script counts what arrives after decoding or before it; either way there is something.
      expect(lookup(page, 'document.lines.0.content')).toEqual(expect.stringMatching(/^# \d+ secret bytes$/));
      expect(JSON.stringify(page)).not.toContain('geheim');
    });

    test('parameters in quotes, and a body that is not the UTF-8 it says', async () => {
      expect(await at(server, '/cgi-bin/quoted')).toMatchObject({ kind: 'gemtext', lang: 'en,fr' });
      expect(await at(server, '/cgi-bin/badutf8')).toMatchObject({ kind: 'gemtext' });
      expect(await at(server, '/cgi-bin/latin1')).toMatchObject({ kind: 'success', content: 'Café\n' });
    });

    test('a body that comes in drops is waited for', async () => {
      const content = Array.from({ length: 6 }, (_, index) => `drop ${index + 1}\n`).join('');
      expect(await at(server, '/cgi-bin/drip')).toMatchObject({ kind: 'success', content });
    });

    test('redirects out of Gemini are reported, not followed', async () => {
      expect(await at(server, '/cgi-bin/xproto')).toMatchObject({ kind: 'redirect', scheme: 'gopher' });
      expect(await at(server, '/cgi-bin/xweb')).toMatchObject({ kind: 'redirect', scheme: 'https' });
    });

    test('a loop is two redirects that point at each other, for the caller to see', async () => {
      const first = await at(server, '/cgi-bin/loopa');
      expect(first).toMatchObject({ kind: 'redirect', new_url: urlAt(server, '/cgi-bin/loopb') });
      const second = await session.call('gemini_fetch', { url: first['new_url'] ?? '' });
      expect(second).toMatchObject({ kind: 'redirect', new_url: urlAt(server, '/cgi-bin/loopa') });
    });
  });

  describe('where the servers differ', () => {
    test('a language by folder is set by molly and agate, by jetforce for the whole capsule', async () => {
      expect(await at('molly', '/fr/')).toMatchObject({ lang: 'fr' });
      expect(await at('agate', '/fr/')).toMatchObject({ lang: 'fr' });
      expect(await at('jetforce', '/fr/')).toMatchObject({ lang: 'en' });
    });

    test('a header without a media type is gemtext (molly), or refused by the server (jetforce)', async () => {
      expect(await at('molly', '/cgi-bin/nomime')).toMatchObject({ kind: 'gemtext' });
      expect(await at('jetforce', '/cgi-bin/nomime')).toMatchObject({ kind: 'error', error: { status: 42 } });
    });

    test('a folder is listed with links that can be fetched (molly, jetforce), or missing (agate)', async () => {
      for (const server of ['molly', 'jetforce'] as const) {
        const links = objectsOf(lookup(await at(server, '/listing/'), 'document.links')).map(({ url }) => url ?? '');
        const wanted = ['/listing/a.gmi', '/listing/b%20c.txt', '/listing/%C3%BC.txt'].map((rest) =>
          urlAt(server, rest),
        );
        expect(links).toEqual(expect.arrayContaining(wanted));
        expect(await session.call('gemini_fetch', { url: wanted[1] ?? '' })).toMatchObject({ content: 'space\n' });
        expect(await session.call('gemini_fetch', { url: wanted[2] ?? '' })).toMatchObject({ content: 'umlaut\n' });
      }
      expect(await at('agate', '/listing/')).toMatchObject({ kind: 'error', error: { status: 51 } });
    });

    test.each(['molly', 'agate'] as const)('redirects by configuration (%s)', async (server) => {
      expect(await at(server, '/redir/temp')).toMatchObject({
        new_url: urlAt(server, '/text/plain.txt'),
        permanent: false,
      });
      expect(await at(server, '/redir/perm')).toMatchObject({ new_url: urlAt(server, '/gemlog/'), permanent: true });
      expect(await at(server, '/loop/a')).toMatchObject({ kind: 'redirect', new_url: urlAt(server, '/loop/b') });
    });

    test('prompts, a refusal and a certificate request by configuration (agate)', async () => {
      expect(await at('agate', '/input')).toMatchObject({ kind: 'input', sensitive: false });
      expect(await at('agate', '/secret')).toMatchObject({ kind: 'input', sensitive: true });
      expect(await at('agate', '/gone.gmi')).toMatchObject({ kind: 'error', error: { status: 52 } });
      expect(await at('agate', '/cert')).toMatchObject({ kind: 'certificate', status: 60 });
    });
  });
});

// A session of its own: the wait concerns the host, and all three servers are on one.
test('status 44 is reported with its seconds, and the wait is kept', async () => {
  const session = await ToolSession.start('stdio', SETTINGS);
  try {
    const startedMs = performance.now();
    const slow = await session.call('gemini_fetch', { url: `gemini://localhost:${ports.agate}/slow.gmi` });
    expect(slow).toMatchObject({ kind: 'error', error: { code: 'TEMPORARY_ERROR', status: 44 } });
    const next = await session.call('gemini_fetch', { url: `gemini://localhost:${ports.agate}/` });
    expect(next).toMatchObject({ kind: 'gemtext' });
    expect(performance.now() - startedMs).toBeGreaterThan(1900);
  } finally {
    await session.close();
  }
});

function temporary(status: number): [number, JsonObject] {
  return [status, { kind: 'error', error: { code: 'TEMPORARY_ERROR', status, temporary: true } }];
}

function permanent(status: number): [number, JsonObject] {
  return [status, { kind: 'error', error: { code: 'PERMANENT_ERROR', status, temporary: false } }];
}
