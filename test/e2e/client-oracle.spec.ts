/**
 * The same bytes through an old client and through ours: what `gophfilt` (Debian package `gopher`) makes of a menu, a text and a binary,
 * our tools make of it too. Where the two differ on purpose, the table says how.
 */
import { execFile } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { objectsOf } from '../support/json.js';
import { LoopbackServer, type ConnectionHandler } from '../support/loopback-server.js';
import { ToolBench } from '../support/tool-bench.js';

let server: LoopbackServer;
let bench: ToolBench;
let body: Buffer = Buffer.alloc(0);

beforeAll(async () => {
  const handle: ConnectionHandler = async (connection) => {
    await connection.readUntil((received) => received.includes('\n'));
    await connection.write(body);
    await connection.end('clean');
  };
  server = await LoopbackServer.listen('127.0.0.1', 0, () => ({ tls: undefined, handle }));
  bench = await ToolBench.start({
    both: { ALLOW_LOCAL_HOSTS: 'true', RESPECT_ROBOTS_TXT: 'false', CACHE_ENABLED: 'false', REQUESTS_PER_MINUTE: '0' },
  });
}, 60_000);

afterAll(async () => {
  await bench.close();
  await server.close();
});

/** What the old client prints. */
function gophfilt(type: string): Promise<Buffer> {
  const args = ['-t', type, '-p', '/x', '-h', '127.0.0.1', '-s', String(server.port)];
  return new Promise((resolve, reject) => {
    execFile('gophfilt', args, { encoding: 'buffer', timeout: 20_000 }, (error, stdout) => {
      if (error) reject(new Error(`gophfilt: ${error.message}`));
      else resolve(stdout);
    });
  });
}

const fetched = (type: string): ReturnType<ToolBench['call']> =>
  bench.call('gopher_fetch', { url: `gopher://127.0.0.1:${server.port}/${type}/x` });

describe('menus', () => {
  test.each([
    [
      'items of many types',
      '1Menu\t/menu\th.example\t70\r\n0Text\t/t\th.example\t7070\r\n7Find\t/f\th.example\t70\r\n.\r\n',
    ],
    ['info lines', 'iA line\tfake\t(NULL)\t0\r\ni\tfake\t(NULL)\t0\r\n1Up\t/\th.example\t70\r\n.\r\n'],
    ['blanks and non-ASCII letters', '0Ein Text mit Ü\t/a b/ü\th.example\t70\r\n.\r\n'],
    ['web links', 'hWeb\tURL:http://w.example/\th.example\t70\r\n.\r\n'],
    ['LF alone', '1A\t/a\th.example\t70\n0B\t/b\th.example\t70\n.\n'],
    ['no lone dot', '1A\t/a\th.example\t70\r\n0B\t/b\th.example\t70\r\n'],
    ['lines behind the lone dot', '1A\t/a\th.example\t70\r\n.\r\n0B\t/b\th.example\t70\r\n'],
    [
      'a selector that is empty, or looks like a URL',
      '1Root\t\th.example\t70\r\n0X\tgopher://y/\th.example\t70\r\n.\r\n',
    ],
    ['a title of dots', '1...\t/dots\th.example\t70\r\n.\r\n'],
    [
      'binary types',
      '9Bin\t/b\th.example\t70\r\ngGif\t/g\th.example\t70\r\nIImage\t/i\th.example\t70\r\nsSound\t/s\th.example\t70\r\n.\r\n',
    ],
    ['sessions', '8Telnet\tuser\th.example\t23\r\nTTn\tuser\th.example\t23\r\n2CSO\t\th.example\t105\r\n.\r\n'],
  ])('%s', async (_, menu) => {
    body = Buffer.from(menu);
    const theirs = (await gophfilt('1')).toString().trimEnd().split('\n');
    const ours = objectsOf((await fetched('1'))['items']).map(({ type, title, selector, host, port, ...item }) => {
      // Info lines have no place in our results.
      const isInfo = type === 'i' && item['next_url'] === '';
      return isInfo ? [`i${String(title)}`] : [`${String(type)}${String(title)}`, selector, host, String(port)];
    });
    expect(ours).toEqual(
      theirs.map((line) => (line.startsWith('i') ? line.split('\t').slice(0, 1) : line.split('\t').slice(0, 4))),
    );
  });
});

describe('texts', () => {
  test.each([
    ['CRLF and the lone dot', 'one\r\ntwo\r\n.\r\n'],
    ['LF and the lone dot', 'one\ntwo\n.\n'],
    ['CRLF without the dot', 'one\r\ntwo\r\n'],
    ['blank lines', 'one\r\n\r\n\r\ntwo\r\n.\r\n'],
    ['lines as long as its buffer takes', `${'x'.repeat(1000)}\r\ny\r\n.\r\n`],
    ['tabs and non-ASCII letters', 'a\tb\r\nÜber\r\n.\r\n'],
    ['nothing', '.\r\n'],
  ])('%s', async (_, text) => {
    body = Buffer.from(text);
    expect((await fetched('0'))['text']).toBe((await gophfilt('0')).toString());
  });
});

test('of a binary both see the same bytes, of which we tell the number', async () => {
  body = Buffer.from(Array.from({ length: 1024 }, (_, index) => index % 256));
  expect(await gophfilt('9')).toHaveLength(body.length);
  expect(await fetched('9')).toMatchObject({ kind: 'binary', bytes: body.length });
});
