/**
 * Walks through the lines of a menu without cutting it up.
 *
 * A line ends at CRLF, LF or CR; vertical tabs, form feeds and NEL belong to the line. Lines of white space alone are no
 * lines. The menu ends at a line that holds a lone dot, blanks around it or not, or else with the text. What was searched
 * is remembered, so that each character is looked at a constant number of times, however the lines look.
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

  constructor(private readonly text: string) {}

  /** Moves to the next line that holds something; false at the end of the menu. */
  next(): boolean {
    const { text } = this;
    let start = this.#position;
    let first = start;
    for (; first < text.length; first++) {
      const unit = text.charCodeAt(first);
      if (unit > SPACE) break;
      if (isLineEnd(unit)) start = first + 1;
    }
    const end = first < text.length ? this.#lineEnd(first) : first;
    if (first === end || (text.charCodeAt(first) === DOT && isBlank(text, first + 1, end))) {
      this.start = this.end = this.#position = text.length;
      return false;
    }
    this.start = start;
    this.end = end;
    this.#position = end + 1;
    return true;
  }

  /** Position of the first TAB of the current line at or after `from`; the end of the line when it has none. */
  tabAfter(from: number): number {
    const { text, end } = this;
    let at = from;
    while (at < end && text.charCodeAt(at) !== TAB) at++;
    return Math.min(at, end);
  }

  /** Short lines end before a search of the runtime would have begun; long ones are searched much faster by it. */
  #lineEnd(from: number): number {
    const { text } = this;
    const near = Math.min(from + SHORT_LINE, text.length);
    for (let at = from; at < near; at++) if (isLineEnd(text.charCodeAt(at))) return at;
    if (this.#nextLf < near) this.#nextLf = find(text, '\n', near);
    if (this.#nextCr < near) this.#nextCr = find(text, '\r', near);
    return Math.min(this.#nextLf, this.#nextCr);
  }
}

function find(text: string, wanted: string, from: number): number {
  const at = text.indexOf(wanted, from);
  return at === -1 ? text.length : at;
}

function isLineEnd(unit: number): boolean {
  return unit === LF || unit === CR;
}

function isBlank(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (text.charCodeAt(at) > SPACE) return false;
  return true;
}

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const DOT = 0x2e;
/** Code units of a line that are looked at one by one. */
const SHORT_LINE = 16;
