/** A Gemini answer on its way from bytes to a window: reading, decoding, rendering in each form. */
const MIB = 1024 * 1024;
const PAGE_URL = 'gemini://example.org/dir/page.gmi';
const WINDOW = { offset: 0, maxChars: 50_000, maxBytes: 262_144, format: 'full' };
const ALL = { ...WINDOW, maxChars: 0 };

export async function run(bench) {
  const { ResponseReader } = await bench.load('src/gemini/core/response-reader.ts');
  const { decodeBody } = await bench.load('src/gemini/core/document.ts');
  const { parseMime } = await bench.load('src/gemini/core/mime.ts');
  const { finish } = await bench.load('src/common/steps.ts');
  const { renderWindow } = await bench.load('src/gemini/core/render.ts');
  const shapes = [
    [
      'gemtext',
      'text/gemini',
      '## A part\n=> /path/to/page.gmi The label of a link\n* an item\nA line of text, not long.\n',
    ],
    [
      'gemtext beyond ASCII',
      'text/gemini',
      '## Część 🦊\r\n=> /été.gmi Zażółć gęślą jaźń\r\n> Über den faulen Hund.\r\n',
    ],
    ['gemtext of links', 'text/gemini', '=> a\n'],
    ['gemtext of blank lines', 'text/gemini', '\n'],
    ['text', 'text/plain', 'The quick brown fox jumps over the lazy dog and goes on.\r\n'],
  ];
  for (const [name, meta, unit] of shapes) {
    const declared = parseMime(meta);
    const body = Buffer.from(unit.repeat(MIB / Buffer.byteLength(unit)));
    const answer = Buffer.concat([Buffer.from(`20 ${meta}\r\n`), body]);
    const chunks = Array.from({ length: Math.ceil(answer.length / 16_384) }, (_, i) =>
      answer.subarray(i * 16_384, (i + 1) * 16_384),
    );
    const document = decodeBody(declared.media, declared, body, false);
    await bench.time(`${name}: read`, body.length, () => {
      const reader = new ResponseReader({ maxBytes: 2 * MIB, wantsBody: () => true });
      for (const chunk of chunks) reader.push(chunk);
      return reader.finish('closed');
    });
    await bench.time(`${name}: decode`, body.length, () => decodeBody(declared.media, declared, body, false));
    for (const format of document.kind === 'gemtext' ? ['full', 'text', 'links', 'outline'] : ['full']) {
      await bench.time(`${name}: first window, ${format}`, 0, () =>
        finish(renderWindow(document, PAGE_URL, { ...WINDOW, format })),
      );
    }
    await bench.time(`${name}: last window`, 0, () =>
      finish(renderWindow(document, PAGE_URL, { ...WINDOW, offset: MIB - 50_000 })),
    );
    await bench.time(`${name}: everything`, body.length, () => finish(renderWindow(document, PAGE_URL, ALL)));
  }
}
