/** A Gopher answer on its way from bytes to a window: reading, decoding, rendering. */
const MIB = 1024 * 1024;
const WINDOW = { offset: 0, maxItems: 1000, maxChars: 50_000, maxBytes: 262_144, format: 'full' };
const ALL = { offset: 0, maxItems: 0, maxChars: 0, maxBytes: 0, format: 'full' };

export async function run(bench) {
  const { ResponseReader } = await bench.load('src/gopher/core/response-reader.ts');
  const { decodeBody } = await bench.load('src/gopher/core/document.ts');
  const { finish } = await bench.load('src/common/steps.ts');
  const { renderWindow } = await bench.load('src/gopher/core/render.ts');
  const shapes = [
    ['menu', '1', '0Item of a list\t/path/to/item.txt\texample.org\t70\r\niA line of text\tfake\t(NULL)\t0\r\n'],
    ['menu beyond ASCII', '1', '0Éléments d’une liste\t/path/to/été.txt\texample.org\t70\r\n'],
    ['text', '0', 'The quick brown fox jumps over the lazy dog and goes on.\r\n'],
    ['text beyond ASCII', '0', 'Zażółć gęślą jaźń 🦊 über den faulen Hund.\r\n'],
  ];
  for (const [name, type, unit] of shapes) {
    const body = Buffer.from(unit.repeat(MIB / unit.length) + '.\r\n');
    const chunks = Array.from({ length: Math.ceil(body.length / 65_536) }, (_, i) =>
      body.subarray(i * 65_536, (i + 1) * 65_536),
    );
    const request = { type, host: 'example.org', port: 70 };
    const { value: document } = decodeBody(type, body, false, 'example.org');
    await bench.time(`${name}: read`, body.length, () => {
      const reader = new ResponseReader(type === '1' ? 'menu' : 'text', 2 * MIB);
      for (const chunk of chunks) reader.push(chunk);
      return reader.finish('closed');
    });
    await bench.time(`${name}: decode`, body.length, () => decodeBody(type, body, false, 'example.org'));
    await bench.time(`${name}: first window`, body.length, () => finish(renderWindow(document, request, WINDOW)));
    await bench.time(`${name}: everything`, body.length, () => finish(renderWindow(document, request, ALL)));
  }
}
