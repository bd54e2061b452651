/** Inputs that lean towards what breaks parsers, and the promises that many targets share. */
import assert from 'node:assert/strict';
import fc from 'fast-check';

const list = (text: string): string[] => text.split(' ');

/** Characters that act, hide, combine or end things. */
const CHARACTERS = [
  ...Array.from('\0\x07\x08\t\n\v\f\r\x1a\x1b\x1f \x7f\x85\x90\x98\x9b\x9c\x9d\x9f\xa0\xad'),
  ...Array.from(
    '\u061c\u0600\u06dd\u070f\u180b\u180e\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202a\u202e\u2060\u2066',
  ),
  ...Array.from('\u2069\u206f\u3000\u3002\ufe00\ufe0f\ufeff\ufff9\ufffd\uffff\ue000'),
  '\ud800',
  '\udc00',
  ...['\u{e0001}', '\u{e0041}', '\u{e007f}', '\u{e0100}', '\u{f0000}', '\u{10fffd}', '\u{1d173}'],
  ...Array.from('é葛ßİı\u0301\u0483'),
  ...['👩', '🏳', '🏳️‍🌈', 'नमस्ते', 'مرحبا', 'क्‍ष'],
];

/** Sequences that terminals act on, whole and broken. */
const SEQUENCES = [
  '\x1b[31m',
  '\x1b[2J',
  '\x1b]0;title\x07',
  '\x1b]8;;http://evil.example/\x1b\\',
  '\x1bP1$r\x1b\\',
  '\x1b_x\x9c',
  '\x9b1;1H',
  '\x1b(B',
  '\x1b',
  '\x1b]',
  '\x1b[',
  'N\bN',
  '_\bx',
];

/** Parts of URLs, menus, pages, headers and JSON, and what stands where it should not. */
const PARTS = [
  ...list(
    'gopher:// gemini:// http:// //x / // .. ./ ../ %2e%2e/ ? # %09 %0d%0a %00 %C3 %C3%A9 %zz % @ user:S3CR3T@ : :: [ ]',
  ),
  ...list('[::1] [::1%25eth0] [::ffff:127.0.0.1] 127.0.0.1 0x7f.1 017700000001 localhost. a.example A.EXAMPLE xn--4ca'),
  ...list(':70 :0 :65535 :65536 :00070 :1965 0 1 7 i h 8 + URL: /URL: GET 99999999999999999999 -1 1e9 NaN'),
  ...list('=> ``` ```js # ## ### #### * > => =>'),
  ...list('20 text/gemini text/plain; charset= lang= "a;b" utf-16 us-ascii application/octet-stream 31 44 60 99'),
  ...list('User-agent: Disallow: Allow: * $ gopher-mcp GPTBot'),
  ...list('" \\ \\u0000 {} [] , null true __proto__ constructor'),
  '","kind":"error","error":{"code":"X"},"x":"',
  '.\r\n',
  '\r\n.\r\n',
  '\r\n',
  '..',
  '\t',
  '\t\t\t',
  '1a\t/a\th\t70\r\n',
  'S3CR3T',
];

const PIECES = [...CHARACTERS, ...SEQUENCES, ...PARTS];

/** Short enough for shrinking, long enough for several constructs. */
const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...PIECES) },
  { weight: 1, arbitrary: fc.string({ maxLength: 8 }) },
);

/** Repetitions, up to 32 Ki characters: where work that is not linear shows. */
const flood = fc
  .tuple(fc.array(piece, { minLength: 1, maxLength: 3 }), fc.nat(15), fc.array(piece, { maxLength: 2 }))
  .map(([unit, exponent, tail]) => {
    const repeated = unit.join('') || 'x';
    return repeated.repeat(Math.ceil(2 ** exponent / repeated.length)) + tail.join('');
  });

/** Any text, hostile more often than not. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 12, arbitrary: fc.array(piece, { maxLength: 24 }).map((parts) => parts.join('')) },
  { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
  { weight: 1, arbitrary: flood },
);

/** Text of these pieces among hostile ones. */
export function textOf(...own: readonly string[]): fc.Arbitrary<string> {
  const mixed = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...own) }, { weight: 1, arbitrary: piece });
  return fc.oneof(
    { weight: 10, arbitrary: fc.array(mixed, { maxLength: 40 }).map((parts) => parts.join('')) },
    { weight: 3, arbitrary: hostileText },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.array(mixed, { minLength: 1, maxLength: 4 }), fc.nat(12)).map(([unit, exponent]) =>
        unit
          .join('')
          .repeat(2 ** exponent)
          .slice(0, 1 << 15),
      ),
    },
  );
}

/** `text` in one of the ways in which servers encode it, as one character a byte; some bytes damaged. */
export function bytesOfText(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(text, fc.constantFrom('utf8', 'utf8', 'utf8', 'latin1', 'utf16le'), damage)
    .map(([chosen, encoding, harm]) => {
      const bytes = Buffer.from(chosen, encoding as BufferEncoding);
      for (const [where, byte] of harm) if (bytes.length > 0) bytes[where % bytes.length] = byte;
      return bytes.toString('latin1');
    });
}

const damage = fc.oneof(
  { weight: 4, arbitrary: fc.constant<[number, number][]>([]) },
  { weight: 1, arbitrary: fc.array(fc.tuple(fc.nat(4096), fc.nat(255)), { maxLength: 4 }) },
);

/** Bytes from a server, one character each. */
export const hostileBytes: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: bytesOfText(hostileText) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('latin1')) },
);

/** The bytes that such a string stands for. */
export function bytesOf(characters: string): Buffer {
  return Buffer.from(characters, 'latin1');
}

/** Where to cut something into chunks. */
export const cuts: fc.Arbitrary<number[]> = fc.array(fc.nat(400), { maxLength: 6 });

/** `bytes` in chunks, none empty. */
export function chunksOf(bytes: Buffer, at: readonly number[]): Buffer[] {
  const bounds = [0, ...at.filter((cut) => cut > 0 && cut < bytes.length).toSorted((a, b) => a - b), bytes.length];
  return bounds
    .slice(1)
    .map((end, index) => bytes.subarray(bounds[index], end))
    .filter((chunk) => chunk.length > 0);
}

/** What no text of a result may hold, apart from line breaks and TAB in bodies; independent of the sanitiser's own table. */
const HIDDEN =
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb]|[\p{Cs}\p{Co}]|[\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}]|\p{Variation_Selector}{2}|[\u200c\u200d]{4}/u;

/** Throws when a body holds what acts or hides. */
export function assertCleanBody(text: string): void {
  const at = text.search(HIDDEN);
  if (at !== -1) assert.fail(`U+${text.charCodeAt(at).toString(16)} in a result`);
}

/** Throws when a single-line field holds what acts or hides, or a line break or TAB. */
export function assertCleanField(text: string): void {
  assertCleanBody(text);
  assert.ok(!/[\t\n\r]/.test(text), 'a line break or TAB in a field');
}

/** All strings of a JSON value. */
export function* stringsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const member of Object.values(value)) yield* stringsOf(member);
}
