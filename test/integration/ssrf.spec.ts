/**
 * No spelling of an inside address gets through: each one known to get past filters, through every way in which a caller can name a host,
 * of both protocols. Nothing is connected to here: what would have been is written down, and must be nothing. Names are looked up in a
 * table; the odd spellings of IPv4 are read by the real resolver of this machine, as in production.
 */
import { spawnSync } from 'node:child_process';
import { lookup as systemLookup } from 'node:dns/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { isArray, lookup, type JsonObject } from '../support/json.js';
import { LoopbackServer } from '../support/loopback-server.js';
import { serverCommand, serverEnvironment, withScratchFolder } from '../support/server-under-test.js';
import { ToolBench, type Dialled } from '../support/tool-bench.js';

/** Read as public in these tests; nobody connects to it. */
const PUBLIC = '9.9.9.9';
const PUBLIC_V6 = '2620:fe::fe';

const NAMES = new Map<string, readonly string[]>([
  ...['localhost', 'a.localhost', 'localhost.localdomain', 'ip6-localhost', 'ip6-loopback'].map(
    (name): [string, string[]] => [name, ['127.0.0.1', '::1']],
  ),
  ['metadata.google.internal', ['169.254.169.254']],
  ['instance-data.ec2.internal', ['fd00:ec2::254']],
  ['kubernetes.default.svc', ['10.96.0.1']],
  ['host.docker.internal', ['172.17.0.1']],
  ['router.lan', ['192.168.1.1']],
  ['127.0.0.1.nip.example', ['127.0.0.1']],
  ['mapped.example', ['::ffff:10.0.0.1']],
  ['nat64.example', ['64:ff9b::a00:1']],
  ['6to4.example', ['2002:c0a8:101::1']],
  ['mixed-first.example', ['10.0.0.1', PUBLIC]],
  ['mixed-last.example', [PUBLIC, PUBLIC_V6, '::1']],
  ['xn--bcher-kva.example', ['10.0.0.1']],
  ['public.example', [PUBLIC, PUBLIC_V6]],
]);

/** Inside addresses as a URL can spell them. */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  'dotted decimal': ['127.0.0.1', '127.255.255.254', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1'],
  'one number': ['2130706433', '0x7f000001', '0X7F000001', '017700000001', '3232235521', '167772161', '1', '0', '0x0'],
  'two and three parts': ['127.1', '127.0.1', '0x7f.1', '0177.1', '10.1', '192.168.1', '0.0', '172.1048577'],
  'octal and hexadecimal parts': [
    '0177.0.0.1',
    '0x7f.0.0.1',
    '0x7f.0x0.0x0.0x1',
    '0177.0000.0000.0001',
    '012.0.0.1',
    '0xa.0.0.1',
    '0300.0250.0.1',
    '127.0.0.01',
    '000000177.0.0.1',
  ],
  'a trailing dot': ['127.0.0.1.', '127.1.', '2130706433.', 'localhost.', '[::1].'],
  'this network, and nothing': ['0.0.0.0', '0.0.0.1', '0.1.2.3', '[::]', '[0:0:0:0:0:0:0:0]'],
  'link-local and metadata': [
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '169.254.43518',
    '169.254.170.2',
    '[fe80::1]',
    '[fe80::a9fe:a9fe]',
    '[fd00:ec2::254]',
    '[fd20:ce::254]',
    '168.63.129.16',
    '100.100.100.200',
    '[::ffff:169.254.169.254]',
    '[64:ff9b::169.254.169.254]',
    '[2002:a9fe:a9fe::]',
  ],
  'shared, documentation, benchmark and reserved': [
    '100.64.0.1',
    '100.127.255.255',
    '192.0.0.1',
    '192.0.0.8',
    '192.0.0.170',
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '198.18.0.1',
    '198.19.255.255',
    '192.88.99.1',
    '240.0.0.1',
    '255.255.255.255',
    '[100::1]',
    '[2001:db8::1]',
    '[3fff::1]',
    '[2001:2::1]',
    '[5f00::1]',
    '[fc00::1]',
    '[fd12:3456:789a::1]',
    '[fec0::1]',
    '[4000::1]',
  ],
  multicast: ['224.0.0.1', '239.255.255.250', '[ff02::1]', '[ff0e::1]'],
  'IPv6 loopback': [
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[0000:0000:0000:0000:0000:0000:0000:0001]',
    '[::0001]',
    '[0::1]',
    '[::0.0.0.1]',
  ],
  'IPv4 mapped into IPv6': [
    '[::ffff:127.0.0.1]',
    '[::FFFF:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:10.0.0.1]',
    '[::ffff:0:127.0.0.1]',
  ],
  'IPv4 compatible': ['[::127.0.0.1]', '[::7f00:1]', '[::10.0.0.1]'],
  '6to4': ['[2002:7f00:1::]', '[2002:0a00:0001::1]', '[2002:c0a8:101::1]', '[2002:6440:1::]'],
  Teredo: [
    '[2001:0:7f00:1::]',
    '[2001:0:909:909:0:0:80ff:fffe]',
    '[2001::f5ff:fffe]',
    '[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
  ],
  NAT64: [
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b::10.0.0.1]',
    '[64:ff9b:1::127.0.0.1]',
    '[64:ff9b:1::9.9.9.9]',
    '[64:ff9b:1:ffff:ffff:ffff:909:909]',
    '[64:ff9b:1:7f00:0:100::]',
  ],
  ISATAP: [
    '[fe80::5efe:10.0.0.1]',
    '[fe80::200:5efe:127.0.0.1]',
    '[2606:4700::5efe:7f00:1]',
    '[2606:4700::200:5efe:192.168.0.1]',
  ],
  'a zone': ['[fe80::1%eth0]', '[fe80::1%25eth0]', '[::1%25lo]', '[::1%1]', '[::ffff:127.0.0.1%25lo]'],
  'digits and dots of other scripts': [
    '１２７.０.０.１',
    '127。0。0。1',
    '127．0．0．1',
    '127｡1',
    '①②⑦.⓪.⓪.①',
    '𝟏𝟐𝟕.𝟎.𝟎.𝟏',
    '¹²⁷.⁰.⁰.¹',
    '２１３０７０６４３３',
    '０x７f.１',
    'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
    'ｌｏｃａｌｈｏｓｔ',
    'l\u00adocalhost',
    'lo\u200bcalhost',
    '١٢٧.٠.٠.١',
  ],
  'escapes and other characters': [
    '%31%32%37.0.0.1',
    '127.0.0.1%00.example.com',
    '127.0.0.1%2e',
    '127.0.0.1%0d%0a',
    'loc%61lhost',
    '127.0.0.1;a',
    '127.0.0.1,9.9.9.9',
    '127..0.0.1',
    '.127.0.0.1',
    '0x7f000001.',
    '127.0.0.1:70:70',
  ],
  names: [
    'localhost',
    'LOCALHOST',
    'LocalHost.',
    'a.localhost',
    'localhost.localdomain',
    'ip6-localhost',
    'ip6-loopback',
    'metadata.google.internal',
    'instance-data.ec2.internal',
    'kubernetes.default.svc',
    'host.docker.internal',
    'router.lan',
    '127.0.0.1.nip.example',
    'mapped.example',
    'nat64.example',
    '6to4.example',
    'mixed-first.example',
    'mixed-last.example',
    'bücher.example',
    'BÜCHER.example',
  ],
};

/** Every spelling once, with its kind for the name of the test. */
const ALL = Object.entries(SPELLINGS).flatMap(([kind, hosts]) => hosts.map((host) => [kind, host] as const));

/** What looks like one of them and is not: the addresses that may be connected to. */
const LOOK_ALIKES: readonly (readonly [string, string])[] = [
  ['9.9.9.9', PUBLIC],
  ['151587081', PUBLIC],
  ['0x09090909', PUBLIC],
  ['011.011.011.011', PUBLIC],
  ['9.592137', PUBLIC],
  ['９.９.９.９', PUBLIC],
  ['9.9.9.9.', PUBLIC],
  ['11.0.0.1', '11.0.0.1'],
  ['126.255.255.255', '126.255.255.255'],
  ['128.0.0.1', '128.0.0.1'],
  ['100.63.255.255', '100.63.255.255'],
  ['100.128.0.1', '100.128.0.1'],
  ['169.253.169.254', '169.253.169.254'],
  ['172.15.255.255', '172.15.255.255'],
  ['172.32.0.1', '172.32.0.1'],
  ['192.0.1.1', '192.0.1.1'],
  ['192.167.1.1', '192.167.1.1'],
  ['223.255.255.255', '223.255.255.255'],
  ['[2620:fe::fe]', PUBLIC_V6],
  ['[::ffff:9.9.9.9]', '::ffff:9.9.9.9'],
  ['[64:ff9b::9.9.9.9]', '64:ff9b::909:909'],
  ['[2002:909:909::1]', '2002:909:909::1'],
  ['[2606:4700::5efe:9.9.9.9]', '2606:4700::5efe:909:909'],
  ['public.example', PUBLIC],
  ['PUBLIC.example.', PUBLIC],
  ['notlocalhost', PUBLIC],
  ['localhost.example', PUBLIC],
  ['127.0.0.1.example', PUBLIC],
  ['10.example', PUBLIC],
];

let bench: ToolBench;
const dialled: Dialled[] = [];
/** What a server of either protocol answers to a request line. */
let answer: (request: string) => string = () => '';
/** Answers of the name server that go before the table, one a question. */
let scripted: (readonly string[])[] = [];
let lookups = 0;

const plainAnswer = (request: string): string => (request.startsWith('gemini:') ? '20 text/plain\r\nok' : 'ok');

beforeAll(async () => {
  bench = await ToolBench.start({
    both: { REQUESTS_PER_MINUTE: '0', MAX_CONCURRENT_REQUESTS: '0' },
    lookup: async (host) => {
      lookups += 1;
      const next = scripted.shift() ?? NAMES.get(host);
      if (next) return next;
      if (/^(0x[0-9a-f]+|\d+)(\.(0x[0-9a-f]+|\d+))*$/.test(host)) {
        return (await systemLookup(host, { all: true, verbatim: true })).map(({ address }) => address);
      }
      if (/^(notlocalhost|localhost\.example|127\.0\.0\.1\.example|10\.example)$/.test(host)) return [PUBLIC];
      throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
    },
    dialled: (dial) => {
      dialled.push(dial);
      return answer(dial.request);
    },
  });
}, 60_000);

afterAll(() => bench.close());

afterEach(() => {
  dialled.length = 0;
  scripted = [];
  lookups = 0;
});

const SCHEMES = ['gopher', 'gemini'] as const;
const pathOf = (scheme: string): string => (scheme === 'gopher' ? '0/x' : 'x');

/** Neither sent nor named: what was refused, by our own rules. */
function expectRefused(payload: JsonObject, url: string): void {
  const code = lookup(payload, 'error.code');
  expect([url, code]).toEqual([url, expect.stringMatching(/^(BLOCKED|INVALID_REQUEST|DNS_ERROR)$/)]);
  // What a name resolved to stands in no answer.
  const host = /:\/\/(.*?)\.?(?:[:/]|$)/.exec(url)?.[1]?.toLowerCase() ?? '';
  const rest = JSON.stringify(payload).replaceAll(host, '');
  for (const address of NAMES.get(host) ?? []) expect(rest).not.toContain(address);
  expect(dialled).toEqual([]);
}

describe('an inside address is refused', () => {
  test.each(ALL)('%s: %s', async (_, host) => {
    for (const scheme of SCHEMES) {
      const url = `${scheme}://${host}/${pathOf(scheme)}`;
      expectRefused(await bench.call(`${scheme}_fetch`, { url }), url);
      expectRefused(await bench.read(url), url);
    }
  });

  test('in a batch, each one', async () => {
    for (const scheme of SCHEMES) {
      const urls = ALL.map(([, host]) => `${scheme}://${host}/${pathOf(scheme)}`);
      for (let at = 0; at < urls.length; at += 50) {
        const part = urls.slice(at, at + 50);
        const { result } = await bench.call(`${scheme}_batch_fetch`, { urls: part });
        if (!isArray(result)) throw new Error('no list');
        expect(result).toHaveLength(part.length);
        result.forEach((item, index) => expectRefused(item as JsonObject, part[index] ?? ''));
      }
    }
  });

  test.each([
    'gopher://9.9.9.9@127.0.0.1/0/x',
    'gopher://9.9.9.9:70@127.0.0.1/0/x',
    'gopher://a:b@c@127.0.0.1/0/x',
    'gopher://127.0.0.1#@9.9.9.9/',
    'gopher://127.0.0.1?@9.9.9.9/',
    'gopher://127.0.0.1\t.example/',
    'gopher://127.0.0.1\n/',
    'gopher://127.0.\t0.1/',
    'gopher:\\\\127.0.0.1/',
    'gopher:127.0.0.1',
    'gopher:/127.0.0.1/',
    'gopher:///127.0.0.1/',
    'gopher://[::1/',
    'gopher://::1/',
    'gopher://[127.0.0.1]/',
    'GOPHER://127.0.0.1/',
    'gemini://9.9.9.9@127.0.0.1/',
    'gemini://:@127.0.0.1/',
    'gemini://@127.0.0.1/',
    'gemini://127.0.0.1#@9.9.9.9/',
    'gemini://127.0.0.1\\.example/',
    'gemini://127.0.0.1\u0000.example/',
    'gemini:///127.0.0.1/',
    'GEMINI://LOCALHOST/',
  ])('whatever else the URL holds: %j', async (url) => {
    const tool = url.toLowerCase().startsWith('gemini') ? 'gemini_fetch' : 'gopher_fetch';
    expectRefused(await bench.call(tool, { url }), url);
  });

  test.each(['127.0.0.1', '127.0.0.1\\', '[::1]', '127.0.0.1&'])(
    'a user name that looks like one is none: the host behind it is asked for %j',
    async (name) => {
      answer = plainAnswer;
      await bench.call('gopher_fetch', { url: `gopher://${name}@9.9.9.9/0/${encodeURIComponent(name)}` });
      expect(dialled.length).toBeGreaterThan(0);
      for (const { addresses } of dialled) expect(addresses).toEqual([PUBLIC]);
    },
  );

  test.each([22, 23, 25, 6379, 11211])('and so is port %d, wherever it is', async (port) => {
    for (const scheme of SCHEMES) {
      const url = `${scheme}://public.example:${port}/`;
      const payload = await bench.call(`${scheme}_fetch`, { url });
      expect(lookup(payload, 'error')).toMatchObject({ code: 'BLOCKED', reason: 'port' });
      expectRefused(payload, url);
    }
  });
});

describe('what merely looks like one is connected to', () => {
  test.each(LOOK_ALIKES)('%s', async (host, address) => {
    answer = plainAnswer;
    for (const scheme of SCHEMES) {
      dialled.length = 0;
      const payload = await bench.call(`${scheme}_fetch`, {
        url: `${scheme}://${host}/${pathOf(scheme)}`,
        refresh: true,
      });
      expect(payload).toMatchObject({ kind: scheme === 'gopher' ? 'text' : 'success' });
      expect(dialled.length).toBeGreaterThan(0);
      for (const { addresses } of dialled) expect(addresses[0]).toBe(address);
    }
  });
});

describe('a name that changes its mind', () => {
  test.each(SCHEMES)('is asked once, and the address that was judged is the one connected to (%s)', async (scheme) => {
    answer = plainAnswer;
    scripted = [[PUBLIC], ['127.0.0.1'], ['127.0.0.1']];
    const payload = await bench.call(`${scheme}_fetch`, { url: `${scheme}://rebinding-${scheme}.example/1` });
    expect(lookup(payload, 'kind')).not.toBe('error');
    // robots.txt and the page: two connections, one question.
    expect(lookups).toBe(1);
    expect(dialled.map(({ addresses }) => addresses)).toEqual([[PUBLIC], [PUBLIC]]);
  });

  test.each(SCHEMES)('is judged again at the next fetch, also where its robots.txt is known (%s)', async (scheme) => {
    answer = plainAnswer;
    scripted = [[PUBLIC], ['127.0.0.1'], [PUBLIC, '10.0.0.1']];
    const url = (page: number): string => `${scheme}://turning-${scheme}.example/0/${page}`;
    await bench.call(`${scheme}_fetch`, { url: url(1) });
    dialled.length = 0;
    for (const page of [2, 3]) {
      const payload = await bench.call(`${scheme}_fetch`, { url: url(page) });
      expect(lookup(payload, 'error')).toMatchObject({ code: 'BLOCKED', reason: 'address_class' });
      expectRefused(payload, url(page));
    }
  });
});

describe('a server that points inside', () => {
  test.each([
    'gemini://127.0.0.1/',
    'gemini://localhost/admin',
    '//169.254.169.254/latest/meta-data/',
    'gemini://[::1]:1965/',
  ])('by a redirect is told and not followed: %s', async (target) => {
    answer = (request) => (request.includes('robots.txt') ? '51 none\r\n' : `31 ${target}\r\n`);
    const payload = await bench.call('gemini_fetch', { url: `gemini://public.example/${encodeURIComponent(target)}` });
    expect(payload).toMatchObject({ kind: 'redirect', cross_host: true });
    for (const { addresses } of dialled) expect(addresses).toEqual([PUBLIC, PUBLIC_V6]);
    // Following it is a fetch of its own, which is judged as such.
    dialled.length = 0;
    const url = String(payload['new_url']);
    expectRefused(await bench.call('gemini_fetch', { url }), url);
  });

  test('by a redirect of its robots.txt is not followed', async () => {
    for (const [index, target] of ['gemini://127.0.0.1/robots.txt', '//localhost/robots.txt'].entries()) {
      dialled.length = 0;
      scripted = [[PUBLIC]];
      answer = (request) => (request.includes('robots.txt') ? `31 ${target}\r\n` : '20 text/plain\r\nok');
      await bench.call('gemini_fetch', { url: `gemini://robots-${index}.example/` });
      for (const { addresses, request } of dialled) {
        expect(addresses).toEqual([PUBLIC]);
        expect(request).toContain(`gemini://robots-${index}.example/`);
      }
    }
  });

  test('by an item of a menu or a link of a page costs no connection', async () => {
    answer = (request) =>
      request.startsWith('gemini:')
        ? '20 text/gemini\r\n=> gemini://127.0.0.1/ inside\n'
        : '1inside\t/\t127.0.0.1\t70\r\nhweb\tURL:http://169.254.169.254/\th\t70\r\n.\r\n';
    await bench.call('gopher_fetch', { url: 'gopher://public.example/1/menu', refresh: true });
    await bench.call('gemini_fetch', { url: 'gemini://public.example/links', refresh: true });
    for (const { addresses } of dialled) expect(addresses).toEqual([PUBLIC, PUBLIC_V6]);
  });
});

describe('from the command line', () => {
  test('the same holds: nothing arrives at a server on loopback', async () => {
    const server = await LoopbackServer.listen('127.0.0.1', 0, () => ({
      tls: undefined,
      handle: (connection) => connection.end('clean'),
    }));
    try {
      await withScratchFolder(async (home) => {
        const { program, args } = serverCommand();
        for (const host of ['127.0.0.1', '127.1', '2130706433', '0x7f.1', '[::ffff:7f00:1]', 'localhost.', '0']) {
          for (const scheme of SCHEMES) {
            const url = `${scheme}://${host}:${server.port}/`;
            const run = spawnSync(program, [...args, 'fetch', url, '--json'], {
              cwd: home,
              env: serverEnvironment(home),
              encoding: 'utf8',
              timeout: 30_000,
            });
            expect([url, run.status, run.stdout]).toEqual([url, 1, expect.stringContaining('BLOCKED')]);
          }
        }
      });
      // What the kernel took meanwhile would be told now.
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
      expect(server.accepted).toBe(0);
    } finally {
      await server.close();
    }
  }, 120_000);
});
