/** Growth: hostile Gopher and Gemini bodies of 1, 4 and 16 MiB, from bytes to the first window. Time per MiB stays level if linear. */
const MIB = 1024 * 1024;
const SIZES = [1, 4, 16];
const WINDOW = { offset: 0, maxItems: 1000, maxChars: 50_000, maxBytes: 262_144, format: 'full' };

/** Each unit is what one kind of hostile server repeats. */
const GOPHER = [
  ['menu of items', '1', '0Item\t/sel\texample.org\t70\r\n'],
  ['menu of tabs', '1', '\t'],
  ['menu of line ends', '1', '\n'],
  ['menu in one line', '1', 'x'],
  ['text of escapes', '0', '\u001b[1;31m'],
  ['text of broken UTF-8', '0', '\ufffd'],
  ['text of overstrikes', '0', 'a\b'],
];
const GEMINI = [
  ['gemtext of blank lines', '\n'],
  ['gemtext of fences', '```\n'],
  ['gemtext of links', '=> a\n'],
  ['gemtext in one line', '=> x'],
];

export async function run(bench) {
  const { finish } = await bench.load('src/common/steps.ts');
  const gopher = await bench.load('src/gopher/core/document.ts');
  const menus = await bench.load('src/gopher/core/render.ts');
  for (const [name, type, unit] of GOPHER) {
    for (const size of SIZES) {
      const body = repeated(unit, size);
      await bench.time(`${name}, ${size} MiB`, body.length, () => {
        const decoded = gopher.decodeBody(type, body, false, 'example.org');
        return decoded.ok
          ? finish(menus.renderWindow(decoded.value, { type, host: 'example.org', port: 70 }, WINDOW))
          : decoded;
      });
    }
  }
  const gemini = await bench.load('src/gemini/core/document.ts');
  const pages = await bench.load('src/gemini/core/render.ts');
  const { parseMime } = await bench.load('src/gemini/core/mime.ts');
  const declared = parseMime('text/gemini');
  for (const [name, unit] of GEMINI) {
    for (const size of SIZES) {
      const body = repeated(unit, size);
      await bench.time(`${name}, ${size} MiB`, body.length, () => {
        const document = gemini.decodeBody(declared.media, declared, body, false);
        return finish(pages.renderWindow(document, 'gemini://example.org/', WINDOW));
      });
    }
  }
}

function repeated(unit, mebibytes) {
  return Buffer.from(unit.repeat(Math.floor((mebibytes * MIB) / Buffer.byteLength(unit))));
}
