/** The display sanitiser, on clean text and on text where every other character has to go. */
const MIB = 1024 * 1024;

export async function run(bench) {
  const { sanitizeText } = await bench.load('src/common/text/sanitize.ts');
  const shapes = {
    'clean ASCII': 'the quick brown fox jumps over the lazy dog\n',
    'clean, beyond ASCII': 'Ünïcödé 日本語 текст 🚀\n',
    'controls everywhere': 'a\u0007b\u202ec\u200bd\u0000',
    'unfinished escape sequences': '\u001b[31',
  };
  for (const [shape, unit] of Object.entries(shapes)) {
    for (const size of [1, 4, 16]) {
      const text = unit.repeat(Math.ceil((size * MIB) / unit.length));
      await bench.time(`${shape}, ${size} Mi characters`, text.length, () => sanitizeText(text));
    }
  }
}
