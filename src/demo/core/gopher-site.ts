/**
 * The demo's Gopher hole: a menu with every item type, texts, a search, a log, and pages that show how a client behaves.
 *
 * @see RFC 1436 section 3.8 for the item types
 */
import { ESCAPES, largeText, PIXEL_GIF, POSTS, ROBOTS, SLOW_MS, type Answer, type DemoPlace } from './sample.js';

/** Longest request line that is read, in bytes. */
export const MAX_REQUEST_BYTES = 1024;

/** The item types beyond menus and texts, each with a name and a selector. */
const OTHER_TYPES: readonly (readonly [type: string, title: string, selector: string])[] = [
  ['4', 'A BinHex file', '/files/sample.hqx'],
  ['5', 'An archive', '/files/sample.zip'],
  ['6', 'A uuencoded file', '/files/sample.uu'],
  ['9', 'A binary file', '/files/sample.bin'],
  ['g', 'A GIF image', '/files/pixel.gif'],
  ['I', 'An image', '/files/pixel.gif'],
  ['p', 'A PNG image', '/files/pixel.gif'],
  [':', 'A bitmap', '/files/pixel.gif'],
  ['s', 'A sound', '/files/sample.bin'],
  ['<', 'A sound of Gopher+', '/files/sample.bin'],
  [';', 'A video', '/files/sample.bin'],
  ['d', 'A document', '/files/sample.bin'],
  ['P', 'A PDF document', '/files/sample.bin'],
  ['M', 'A mail with attachments', '/files/sample.bin'],
  ['h', 'An HTML page', '/page.html'],
  ['+', 'A mirror of the item before', '/page.html'],
  ['2', 'A CSO phone book (needs another client)', 'cso'],
  ['8', 'A telnet session (needs another client)', 'guest'],
  ['T', 'A tn3270 session (needs another client)', 'guest'],
];

/** Things that the search finds. */
const FINDABLE: readonly (readonly [type: string, title: string, selector: string])[] = [
  ['0', 'About this hole', '/about.txt'],
  ['1', 'The log', '/log'],
  ['1', 'Every item type', '/types'],
  ...POSTS.map(({ title, slug }) => ['0', title, `/log/${slug}.txt`] as const),
];

const ABOUT = `About this hole

It is served by "gopher-mcp demo" on your own machine: everything here can be
tried without a network. It has a menu with every item type, a search, a log,
a long text, a slow page, a page that robots.txt closes, and one that tries to
send escape sequences to your terminal.
`;

/**
 * The answer to one request line.
 *
 * @param line selector, and after a tab the search terms; without its line end
 */
export function answerGopher(line: string, place: DemoPlace): Answer {
  const [selector = '', terms = ''] = line.split('\t');
  const post = POSTS.find(({ slug }) => selector === `/log/${slug}.txt`);
  if (post !== undefined) return text(`${post.title}\n${post.date}\n\n${post.paragraphs.join('\n\n')}\n`);
  switch (selector) {
    case '':
    case '/':
      return { body: root(place) };
    case '/types':
      return {
        body: menu([
          info('Every item type that is in use:'),
          ...OTHER_TYPES.map((one) => item(place, ...one)),
          ERROR_ITEM,
        ]),
      };
    case '/log':
      return {
        body: menu(POSTS.map(({ date, title, slug }) => item(place, '0', `${date} ${title}`, `/log/${slug}.txt`))),
      };
    case '/search':
      return { body: menu(found(place, terms)) };
    case '/about.txt':
      return text(ABOUT);
    case '/large.txt':
      return text(largeText());
    case '/large':
      return {
        body: menu(Array.from({ length: 2500 }, (_, index) => item(place, '0', `Item ${index + 1}`, '/about.txt'))),
      };
    case '/slow.txt':
      return { ...text('This page took its time.\n'), delayMs: SLOW_MS };
    case '/escapes.txt':
      return text(ESCAPES);
    case '/private/diary.txt':
      return text('You should not read this: robots.txt asks programs to stay away.\n');
    case '/page.html':
      return {
        body: '<!DOCTYPE html>\n<title>A page</title>\n<h1>A page</h1>\n<p>HTML over Gopher is plain text to us.</p>\n',
      };
    case '/files/pixel.gif':
      return { body: PIXEL_GIF };
    case '/files/sample.hqx':
    case '/files/sample.zip':
    case '/files/sample.uu':
    case '/files/sample.bin':
      return { body: Uint8Array.from({ length: 512 }, (_, index) => index % 256) };
    case 'robots.txt':
    case '/robots.txt':
      return text(ROBOTS);
    default:
      return { body: menu([['3', 'There is no such item here', '', 'error.host', 1]]) };
  }
}

type Item = readonly [type: string, title: string, selector: string, host: string, port: number];

const ERROR_ITEM: Item = ['3', 'An error line', '', 'error.host', 1];

function root(place: DemoPlace): string {
  const { host, geminiPort } = place;
  return menu([
    info('Welcome to the demo hole of gopher-mcp.'),
    info(''),
    item(place, '0', 'About this hole', '/about.txt'),
    item(place, '1', 'Every item type', '/types'),
    item(place, '7', 'Search this hole', '/search'),
    item(place, '1', 'The log', '/log'),
    info(''),
    info('How does a client behave?'),
    item(place, '0', 'A long text, in windows', '/large.txt'),
    item(place, '1', 'A long menu, in windows', '/large'),
    item(place, '0', 'A slow page', '/slow.txt'),
    item(place, '0', 'Escape sequences', '/escapes.txt'),
    item(place, '0', 'A page that robots.txt closes', '/private/diary.txt'),
    item(place, '1', 'A menu that does not exist', '/nowhere'),
    info(''),
    ['h', 'The Gemini capsule beside this hole', `URL:gemini://${host}:${geminiPort}/`, host, place.gopherPort],
  ]);
}

function found(place: DemoPlace, terms: string): Item[] {
  const wanted = terms
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const hits = FINDABLE.filter(([, title]) => wanted.some((word) => title.toLowerCase().includes(word)));
  if (wanted.length === 0) return [info('Search for a word of a title, such as "menu".')];
  return hits.length === 0 ? [info('Nothing was found.')] : hits.map((one) => item(place, ...one));
}

function info(title: string): Item {
  return ['i', title, '', 'null.host', 1];
}

function item({ host, gopherPort }: DemoPlace, type: string, title: string, selector: string): Item {
  return [type, title, selector, host, gopherPort];
}

function menu(items: readonly Item[]): string {
  const lines = items.map(
    ([type, title, selector, host, port]) => `${type}${title}\t${selector}\t${host}\t${port}\r\n`,
  );
  return `${lines.join('')}.\r\n`;
}

function text(content: string): Answer {
  return { body: `${content.replace(/\n$/, '').replaceAll('\n', '\r\n')}\r\n.\r\n` };
}
