/** The demo leads nowhere that it does not answer: every link of its own pages is followed. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { X509IdentityMinter } from '../../src/cert/index.js';
import { startDemo, type Demo } from '../../src/demo/index.js';

const NOW_MS = Date.UTC(2026, 11, 1);
const GOPHER_MENUS = '17';

let demo: Demo;
let gopherBase: string;
let geminiBase: string;

beforeAll(async () => {
  const { certificatePem, privateKeyPem } = await new X509IdentityMinter().mint('ec', NOW_MS);
  demo = await startDemo({ gopherPort: 0, geminiPort: 0, certificatePem, privateKeyPem });
  gopherBase = `gopher://127.0.0.1:${demo.gopherPort}/`;
  geminiBase = `gemini://127.0.0.1:${demo.geminiPort}/`;
});

afterAll(() => demo.close());

async function exchange(socket: Socket, request: string): Promise<string> {
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  socket.write(request);
  await once(socket, 'close');
  return Buffer.concat(parts).toString();
}

function gopher(selector: string): Promise<string> {
  return exchange(connect(demo.gopherPort, '127.0.0.1'), `${selector}\r\n`);
}

function gemini(url: string): Promise<string> {
  const socket = connectTls({ port: demo.geminiPort, host: '127.0.0.1', rejectUnauthorized: false });
  return exchange(socket, `${url}\r\n`);
}

interface MenuItem {
  readonly type: string;
  readonly selector: string;
  readonly host: string;
  readonly port: string;
}

function itemsOf(menu: string): MenuItem[] {
  return menu.split('\r\n').flatMap((line) => {
    const [head = '', selector = '', host = '', port = ''] = line.split('\t');
    return port === '' ? [] : [{ type: head.charAt(0), selector, host, port }];
  });
}

/** Selectors that are answered with no page on purpose, which the menu says. */
const SAID_TO_BE_MISSING = ['/nowhere'];
/** Sessions are for other clients. */
const NOT_FETCHED = '28T';

describe('every link of the Gopher hole', () => {
  test('that leads to the hole itself is answered with an item of its type', async () => {
    const seen = new Map<string, string>();
    const queue: MenuItem[] = [{ type: '1', selector: '', host: '127.0.0.1', port: String(demo.gopherPort) }];
    for (let item = queue.pop(); item !== undefined; item = queue.pop()) {
      const { type, selector, host, port } = item;
      if (host !== '127.0.0.1' || port !== String(demo.gopherPort) || seen.has(selector)) continue;
      if (selector.startsWith('URL:') || NOT_FETCHED.includes(type)) continue;
      const answer = await gopher(type === '7' ? `${selector}\tmenu log` : selector);
      seen.set(selector, answer);
      if (SAID_TO_BE_MISSING.includes(selector)) expect(answer).toMatch(/^3/);
      else if (GOPHER_MENUS.includes(type)) queue.push(...itemsOf(answer));
    }
    const failed = [...seen].filter(([, answer]) => answer === '' || /^3There is no such item/.test(answer));
    expect(failed.map(([selector]) => selector)).toEqual(SAID_TO_BE_MISSING);
    expect(seen.size).toBeGreaterThan(15);
  }, 30_000);

  test('to the capsule beside it is right', async () => {
    const link = itemsOf(await gopher('')).find(({ selector }) => selector.startsWith('URL:'));
    expect(link?.selector).toBe(`URL:${geminiBase}`);
    expect(await gemini(geminiBase)).toMatch(/^20 text\/gemini/);
  });
});

/** What the capsule says of these pages. */
const OTHER_THAN_20: Readonly<Record<string, string>> = {
  ask: '10',
  secret: '11',
  'members/': '60',
  redirect: '30',
  elsewhere: '31',
  busy: '44',
  gone: '52',
};

describe('every link of the Gemini capsule', () => {
  test('that leads to the demo is answered as its page says', async () => {
    const seen = new Map<string, string>();
    const queue = [geminiBase];
    for (let url = queue.pop(); url !== undefined; url = queue.pop()) {
      if (!url.startsWith(geminiBase) || seen.has(url)) continue;
      const answer = await gemini(url);
      seen.set(url, answer);
      if (answer.startsWith('3')) queue.push(new URL(answer.slice(3).trim(), url).href);
      if (!answer.startsWith('20 text/gemini')) continue;
      for (const [, link = ''] of answer.matchAll(/^=>\s*(\S+)/gm)) queue.push(new URL(link, url).href);
    }
    const statuses = [...seen].map(([url, answer]) => [url.slice(geminiBase.length), answer.slice(0, 2)] as const);
    expect(Object.fromEntries(statuses.filter(([, status]) => status !== '20'))).toEqual(OTHER_THAN_20);
    expect(seen.size).toBeGreaterThan(18);
  }, 60_000);

  test('that its feed names is answered', async () => {
    const feed = await gemini(`${geminiBase}gemlog/atom.xml`);
    const links = [...feed.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(2);
    for (const link of links) expect([link, (await gemini(link)).slice(0, 2)]).toEqual([link, '20']);
  });

  test('to the hole beside it is right', async () => {
    const page = await gemini(geminiBase);
    expect(/gopher:\/\/\S+/.exec(page)?.[0]).toBe(gopherBase);
    expect(await gopher('')).toContain('Welcome');
  });
});

test.each(['https://127.0.0.1/', 'gemini://elsewhere.example/', 'not a URL', ''])(
  'a request for %j is refused as the protocol wants it',
  async (line) => {
    expect(await gemini(line)).toMatch(/^(53|59) /);
  },
);
