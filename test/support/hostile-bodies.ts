/** Bodies of a given size, made to keep whoever reads them busy: each shape has cost some client dearly. */

/** A shape of body. */
export interface HostileBody {
  readonly name: string;
  /** A body of so many bytes, a few less at most. */
  readonly bytes: (size: number) => Buffer;
}

function repeated(unit: string | Buffer): (size: number) => Buffer {
  const bytes = Buffer.from(unit);
  return (size) => Buffer.alloc(size, bytes);
}

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');

/** Lines that differ, so that nothing can be remembered from one to the next. */
function numbered(line: (index: number) => string): (size: number) => Buffer {
  return (size) => {
    let text = '';
    for (let index = 0; text.length < size; index++) text += line(index);
    return Buffer.from(text).subarray(0, size);
  };
}

/** Shapes that are hard whatever the protocol takes them for. */
export const SHAPES_OF_ANY: readonly HostileBody[] = [
  { name: 'one line', bytes: repeated('x') },
  { name: 'line feeds', bytes: repeated('\n') },
  { name: 'carriage returns', bytes: repeated('\r') },
  { name: 'short lines', bytes: repeated('a\n') },
  { name: 'short lines, CR', bytes: repeated('a\r') },
  { name: 'blanks', bytes: repeated(' ') },
  { name: 'blank lines', bytes: repeated(' \n') },
  { name: 'dots', bytes: repeated('.\n') },
  { name: 'NULs', bytes: repeated('\0') },
  { name: 'colours', bytes: repeated('\x1b[31mx') },
  { name: 'stray escapes', bytes: repeated('\x1b]') },
  { name: 'unterminated control strings', bytes: repeated(`\x1b]${'x'.repeat(4000)}\n`) },
  { name: 'C1 introducers', bytes: repeated('\x9d\x90\x9b') },
  { name: 'overstrike', bytes: repeated('N\bN_\bx') },
  {
    name: 'many backspaces',
    bytes: (size) => Buffer.from(`${'a'.repeat(size / 4)}${'\b'.repeat(size / 4)}${'b'.repeat(size / 2)}`),
  },
  { name: 'joiners', bytes: repeated('\u200d\u200c') },
  { name: 'variation selectors', bytes: repeated('a\ufe0f\ufe0f') },
  { name: 'tag characters', bytes: repeated('\u{e0041}') },
  { name: 'bidi marks', bytes: repeated('a\u202e') },
  { name: 'emoji', bytes: repeated('👩‍👩‍👧') },
  { name: 'ideographs', bytes: repeated('葛飾区\n') },
  { name: 'damaged UTF-8', bytes: repeated(Buffer.concat([Buffer.from('é'), latin1('\xe9\xff\n')])) },
  { name: '8-bit text', bytes: repeated(latin1('\x93caf\xe9\x94\n')) },
  { name: 'line art', bytes: repeated(latin1('\xdb\xdb\xb2\xb1\xb0\xc4\xc4\n')) },
  { name: 'UTF-16', bytes: repeated(utf16('text\n')) },
  {
    name: 'UTF-16 with a mark',
    bytes: (size) => Buffer.concat([latin1('\xff\xfe'), repeated(utf16('葛\n'))(size - 2)]),
  },
  { name: 'quotes and backslashes', bytes: repeated('"\\') },
  { name: 'JSON', bytes: repeated('{"kind":"error"},') },
];

/** Menus. */
export const HOSTILE_MENUS: readonly HostileBody[] = [
  ...SHAPES_OF_ANY,
  { name: 'items', bytes: repeated('1Title\t/selector\thost.example\t70\r\n') },
  { name: 'short items', bytes: repeated('1\t\t\t\n') },
  { name: 'another host each', bytes: numbered((i) => `1a\t/\th${i}.example\t70\n`) },
  { name: 'another host each, not ASCII', bytes: numbered((i) => `1a\t/\té${i}.example\t70\n`) },
  { name: 'selectors of escapes', bytes: repeated('1a\t/%?# é\th\t70\n') },
  { name: 'selectors with controls', bytes: repeated('1a\t/\x1b[31m\x01\th\t70\n') },
  { name: 'damaged UTF-8 items', bytes: repeated(latin1('1\xe9\xc3\xa9\t/\xe9\th\t70\n')) },
  { name: 'line art items', bytes: repeated(latin1('1\xdb\xdb\xc4\xc4\t/\xdb\th\t70\n')) },
  { name: 'web links', bytes: repeated('hweb\tURL:https://w.example/\th\t70\n') },
  { name: 'info lines', bytes: repeated('iabc\t\terr\t1\n') },
  { name: 'prose', bytes: repeated('Lorem ipsum dolor sit amet.\n') },
  { name: 'tabs', bytes: repeated('\t') },
  { name: 'one long title', bytes: (size) => Buffer.from(`1${'x'.repeat(size - 12)}\t/\th\t70\n`) },
];

/** Texts, read as plain text or as HTML. */
export const HOSTILE_TEXTS: readonly HostileBody[] = [
  ...SHAPES_OF_ANY,
  { name: 'dot-stuffed', bytes: (size) => Buffer.concat([repeated('..\n')(size - 2), Buffer.from('.\n')]) },
  { name: 'URLs', bytes: repeated('http://w.example/\n') },
  { name: 'underlined headings', bytes: repeated('Ab\n===\n') },
  { name: 'capitals', bytes: repeated('\nABCD\n') },
  { name: 'tags', bytes: repeated('<p>') },
  { name: 'less-than signs', bytes: repeated('<') },
  { name: 'open comments', bytes: repeated('<!--') },
  { name: 'links', bytes: repeated('<a href="x">y</a>') },
  { name: 'open scripts', bytes: repeated('<script>') },
  { name: 'scripts never closed', bytes: repeated('<script></') },
  { name: 'character references', bytes: repeated('&#x41;&amp;') },
];

/** Pages of gemtext. */
export const HOSTILE_PAGES: readonly HostileBody[] = [
  ...SHAPES_OF_ANY,
  { name: 'links', bytes: repeated('=> /x Label\n') },
  { name: 'short links', bytes: repeated('=>a\n') },
  { name: 'absolute links', bytes: repeated('=> gemini://h.example:1966/x y\n') },
  { name: 'links that are none', bytes: repeated('=> //[::1 x\n') },
  { name: 'links not ASCII', bytes: repeated('=> /é é\n') },
  { name: 'dot segments', bytes: repeated(`=> ${'../'.repeat(40)}x\n`) },
  { name: 'one link of dot segments', bytes: (size) => Buffer.from(`=> ${'../'.repeat(Math.floor(size / 3) - 2)}`) },
  { name: 'headings', bytes: repeated('# a\n') },
  { name: 'number signs', bytes: repeated('#\n') },
  { name: 'lists', bytes: repeated('* a\n') },
  { name: 'quotes', bytes: repeated('>\n') },
  { name: 'fences', bytes: repeated('```\n') },
  { name: 'fences within a line', bytes: repeated('x```') },
  { name: 'alt texts', bytes: repeated('```js\n```\n') },
  { name: 'blanks before a target', bytes: (size) => Buffer.from(`=>${' '.repeat(size - 8)}/x\n`) },
  { name: 'colons', bytes: (size) => Buffer.from(`=> ${':'.repeat(size - 8)}\n`) },
];
