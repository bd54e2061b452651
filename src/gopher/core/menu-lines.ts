/**
 * Walks through the lines of a menu without cutting it up.
 *
 * A line ends at CRLF, LF or CR; vertical tabs, form feeds and NEL belong to the line. Lines of white space alone are no
 * lines. The menu ends at a line that holds a lone dot, blanks around it or not, or else with the text. Positions that
 * were searched are remembered, so a whole walk is linear however the lines look.
 *
 * @see RFC 1436 section 3 (menu entity) and its appendix; what goes beyond it is what servers really send.
 */
export class MenuLines {
  /** Code-unit range of the current line, without its end. */
  start = 0;
  end = 0;

  #position = 0;
  #nextLf = -1;
  #nextCr = -1;
  #nextTab = -1;

  constructor(private readonly text: string) {}

  /** Moves to the next line that holds something; false at the end of the menu. */
  next(): boolean {
    const { text } = this;
    while (this.#position < text.length) {
      const start = this.#position;
      if (this.#nextLf < start) this.#nextLf = find(text, '\n', start);
      if (this.#nextCr < start) this.#nextCr = find(text, '\r', start);
      const end = Math.min(this.#nextLf, this.#nextCr);
      this.#position = end + 1;
      const first = firstPrinting(text, start, end);
      if (first === end) continue;
      if (text.charCodeAt(first) === DOT && firstPrinting(text, first + 1, end) === end) {
        this.#position = text.length;
        break;
      }
      this.start = start;
      this.end = end;
      return true;
    }
    this.start = this.end = text.length;
    return false;
  }

  /** Position of the first TAB of the current line at or after `from`; the end of the line when it has none. */
  tabAfter(from: number): number {
    if (this.#nextTab < from) this.#nextTab = find(this.text, '\t', from);
    return Math.min(this.#nextTab, this.end);
  }
}

const SPACE = 0x20;
const DOT = 0x2e;

function find(text: string, wanted: string, from: number): number {
  const at = text.indexOf(wanted, from);
  return at === -1 ? text.length : at;
}

/** Position of the first character in the range that is neither white space nor a control; `end` when there is none. */
function firstPrinting(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && text.charCodeAt(at) <= SPACE) at++;
  return at;
}
