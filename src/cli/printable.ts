/**
 * The last gate before a terminal. Text of pages was sanitised when it was read; that nothing can reach the terminal does not hang
 * on it alone.
 */

/** C0, DEL and C1 but tab and line feed, lone surrogates, and the controls that turn the reading order round. */

const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Cs}/gu;

/** `text` without anything that a terminal would act on; line feeds and tabs stay. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, '');
}

/** As {@link printable}, on one line. */
export function printableLine(text: string): string {
  return printable(text).replace(/[\n\t]/g, ' ');
}

/** `text` in words of at most `columns` columns a line; null leaves it on one line. Words that are longer stay whole. */
export function wrapWords(text: string, columns: number | null): string[] {
  if (columns === null || text.length <= columns) return [text];
  const lines: string[] = [];
  let start = 0;
  while (text.length - start > columns) {
    const before = text.lastIndexOf(' ', start + columns);
    const at = before > start ? before : text.indexOf(' ', start + columns);
    if (at === -1) break;
    lines.push(text.slice(start, at));
    start = at + 1;
  }
  lines.push(text.slice(start));
  return lines;
}
