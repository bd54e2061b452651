/**
 * The output of the display sanitiser while it is made: the source text minus what was taken out, with a view of its
 * end. Nothing is copied before the first removal; from then on the kept code units are, one by one, which costs the same
 * however often something is taken out.
 */
export class KeptText {
  readonly #source: string;
  #units = NONE;
  /** How many of `#units` are kept. */
  #size = 0;
  /** All kept units, or-ed: text that the engine keeps with one byte a unit shall stay so. */
  #mask = 0;
  /** Source index where the run begins that the next removal, or the end, finishes. */
  #runStart = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /**
   * The code unit that lies `back` units (1 = the last) before the end of what is kept, when the source up to `end`
   * counts as kept; 0 when there is none (NUL is never kept).
   */
  unitBefore(end: number, back: number): number {
    const index = end - back;
    return index >= this.#runStart
      ? this.#source.charCodeAt(index)
      : (this.#units[this.#size - this.#runStart + index] ?? 0);
  }

  /** Takes the source from `start` to `end` out; `start` must not lie before the end of an earlier removal. */
  remove(start: number, end: number): void {
    if (this.#units === NONE) this.#units = new Uint16Array(this.#source.length);
    const units = this.#units;
    let size = this.#size;
    let mask = this.#mask;
    for (let i = this.#runStart; i < start; i++) {
      const unit = this.#source.charCodeAt(i);
      units[size++] = unit;
      mask |= unit;
    }
    this.#size = size;
    this.#mask = mask;
    this.#runStart = end;
  }

  /** Takes the last `units` code units before the last removal out as well. */
  dropLast(units: number): void {
    this.#size = Math.max(0, this.#size - units);
  }

  /** What is kept, the rest of the source included. */
  toString(): string {
    if (this.#runStart === 0) return this.#source;
    this.remove(this.#source.length, this.#source.length);
    const kept = this.#units.subarray(0, this.#size);
    if (this.#mask < 0x100) return Buffer.from(kept).toString('latin1');
    return Buffer.from(kept.buffer, 0, kept.byteLength).toString('utf16le');
  }
}

const NONE = new Uint16Array(0);
