import { escapedPretty } from '../common/escaped-pretty.js';

/**
 * The indented form of a page's members, kept for pages that are asked for again and again: making it is most of what a cached
 * answer costs. Bounded by bytes, least recently used out first; what is seen once only is not kept.
 */
export class PrettyMemo {
  readonly #seen = new WeakSet<Buffer>();
  /** In order of use. */
  readonly #kept = new Map<Buffer, Buffer>();
  readonly #maxBytes: number;
  #bytes = 0;

  /** @param maxBytes of the forms and the members they are kept for */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** `constant` (members of an object, compact) indented and escaped for a text block. */
  membersOf(constant: Buffer): Buffer {
    const known = this.#kept.get(constant);
    if (known) {
      this.#kept.delete(constant);
      this.#kept.set(constant, known);
      return known;
    }
    const pretty = escapedPretty(constant, 1);
    if (this.#seen.has(constant)) this.#keep(constant, pretty);
    else this.#seen.add(constant);
    return pretty;
  }

  #keep(constant: Buffer, pretty: Buffer): void {
    // A copy of its own size: what was made stands in a buffer of up to twice as much.
    const copy = Buffer.from(pretty);
    this.#kept.set(constant, copy);
    this.#bytes += constant.length + copy.length;
    for (const [oldest, form] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#kept.delete(oldest);
      this.#bytes -= oldest.length + form.length;
    }
  }
}
