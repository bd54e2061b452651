import { describe, expect, test } from '@jest/globals';
import { decodeBody } from '../../../../src/gopher/core/document.js';
import { isProse, MenuItems, type MenuItem } from '../../../../src/gopher/core/menu.js';

const ORIGIN = { host: 'own.example', port: 7070 };

function itemsOf(body: string | Buffer): MenuItem[] {
  const decoded = decodeBody('1', Buffer.from(body), false, 'own.example');
  if (!decoded.ok || decoded.value.kind !== 'menu') throw new Error('no menu');
  const items = new MenuItems(decoded.value.source, ORIGIN);
  const found: MenuItem[] = [];
  for (let item = items.next(); item !== null; item = items.next()) found.push(item);
  return found;
}

function only(body: string | Buffer): MenuItem {
  const [item, ...others] = itemsOf(body);
  if (!item || others.length > 0) throw new Error('not one item');
  return item;
}

describe('menu items', () => {
  test('a complete line', () => {
    expect(only('0About\t/about.txt\texample.org\t70\r\n.\r\n')).toEqual({
      type: '0',
      title: 'About',
      selector: '/about.txt',
      host: 'example.org',
      port: 70,
      next_url: 'gopher://example.org:70/0/about.txt',
    });
  });

  test.each([
    ['fields of Gopher+ are ignored', '0x\t/x\th\t70\t+\tmore', { title: 'x', port: 70 }],
    ['an empty first field is an info line', '\t/x\th\t70', { type: 'i', title: '', selector: '/x' }],
    ['a control in place of the type too', '\x07x\t/x\th\t70', { type: 'i', title: 'x' }],
    ['and so is a damaged one', '\ufffdx\t/x\th\t70', { type: 'i', title: 'x' }],
    ['blanks of a title stay', 'i  /\\_/\\  \t\tn\t1', { title: '  /\\_/\\  ' }],
    ['a type may be any character', 'éx\t/x\th\t70', { type: 'é', title: 'x', next_url: 'gopher://h:70/%C3%A9/x' }],
    ['even beyond the BMP', '😀x\t/x\th\t70', { type: '😀', title: 'x', next_url: 'gopher://h:70/%F0%9F%98%80/x' }],
    ['white space controls leave the fields', '0a\vb\fc\t/x\th\t70', { title: 'abc' }],
    ['blanks around a port are nothing', '0x\t/x\th\t 7071 ', { port: 7071 }],
    ['leading zeros are', '0x\t/x\th\t0070', { port: 70 }],
    ['a bad port is 70', '0x\t/x\th\t70a', { port: 70 }],
    ['so is one beyond 65535', '0x\t/x\th\t65536', { port: 70 }],
    ['and one in other digits', '0x\t/x\th\t\u0667\u0660', { port: 70 }],
    ['port 0 leads nowhere', '0x\t/x\th\t0', { port: 0, next_url: '' }],
    ['no host and no port: this server', '1x\t/x\t\t', { host: 'own.example', port: 7070 }],
    ['no host: this server, that port', '1x\t/x\t\t70', { host: 'own.example', port: 70 }],
    ['two fields: this server', '1x\t/x', { selector: '/x', host: 'own.example', port: 7070 }],
    ['three fields: port 70', '0x\t/x\th', { host: 'h', port: 70, next_url: 'gopher://h:70/0/x' }],
    [
      'info without fields',
      'iSome text\nz\tz\tz\tz',
      { type: 'i', title: 'Some text', selector: '', host: '', port: 0 },
    ],
    ['info with too few', 'iSome text\tx', { type: 'i', title: 'Some text', selector: '', host: '', port: 0 }],
    ['an error with too few', '3Bad\tx', { type: '3', title: 'Bad', selector: '', host: '', port: 0, next_url: '' }],
    ['junk is text', 'junk\nz\tz\tz\tz', { type: 'i', title: 'junk', next_url: '' }],
    ['info keeps its fillers', 'ix\tfake\t(NULL)\t0', { selector: 'fake', host: '(NULL)', port: 0, next_url: '' }],
    ['an info line without a host has none', 'ix\t\t\t', { host: '', port: 70, next_url: '' }],
  ])('%s', (_, line, expected) => {
    expect(itemsOf(`${line}\r\n`)[0]).toMatchObject(expected);
  });

  test('a byte order mark is no type', () => {
    expect(only('\ufeff0x\t/x\th\t70')).toMatchObject({ type: '0', title: 'x' });
    expect(
      only(Buffer.concat([Buffer.from('\ufeff0é…é\t/'), Buffer.from([0xff]), Buffer.from('\th\t70')])),
    ).toMatchObject({
      type: '0',
    });
  });

  test('a selector keeps its bytes in a Latin-1 menu', () => {
    const item = only(Buffer.from('1Caf\xe9\t/caf\xe9\th\t70\r\n', 'latin1'));
    expect(item).toMatchObject({ title: 'Café', selector: '/café', next_url: 'gopher://h:70/1/caf%E9' });
  });

  test('and in a UTF-8 menu with damaged lines', () => {
    const body = Buffer.concat([
      Buffer.from('1Zoë — naïve\t/zoë\th\t70\r\n'),
      Buffer.from('1Caf\xe9\t/caf\xe9\th\t70\r\n', 'latin1'),
    ]);
    expect(itemsOf(body)).toMatchObject([
      { title: 'Zoë — naïve', selector: '/zoë', next_url: 'gopher://h:70/1/zo%C3%AB' },
      { title: 'Caf\ufffd', selector: '/caf\ufffd', next_url: 'gopher://h:70/1/caf%E9' },
    ]);
  });
});

describe('prose in answer to a menu request', () => {
  test('shows its lines whole', () => {
    expect(itemsOf('if you read this\r\n<b>it</b> is no menu\r\n').map(({ type, title }) => [type, title])).toEqual([
      ['i', 'if you read this'],
      ['i', '<b>it</b> is no menu'],
    ]);
  });

  test.each([
    ['', false],
    ['iall\niinfo', false],
    ['iall\nbut this', true],
    ['text\twith a tab', false],
  ])('%j: %s', (text, prose) => {
    expect(isProse(text)).toBe(prose);
  });
});
