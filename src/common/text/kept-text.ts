/**
 * The output of the display sanitiser while it is made: the source text minus what was taken out, with a view of its
 * end. Kept text is held as slices of the source, one for each run between two removals, and joined once.
 */
export class KeptText {
  readonly #source: string;
  /** The finished runs; none is empty. */
  readonly #runs: string[] = [];
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
    if (index >= this.#runStart) return this.#source.charCodeAt(index);
    let left = this.#runStart - index;
    for (let i = this.#runs.length - 1; i >= 0; i--) {
      const run = this.#runs[i] ?? '';
      if (left <= run.length) return run.charCodeAt(run.length - left);
      left -= run.length;
    }
    return 0;
  }

  /** Takes the source from `start` to `end` out; `start` must not lie before the end of an earlier removal. */
  remove(start: number, end: number): void {
    if (start > this.#runStart) this.#runs.push(this.#source.slice(this.#runStart, start));
    this.#runStart = end;
  }

  /** Takes the last `units` code units before the last removal out as well. */
  dropLast(units: number): void {
    for (let left = units; left > 0;) {
      const run = this.#runs.pop();
      if (run === undefined) return;
      if (run.length > left) this.#runs.push(run.slice(0, -left));
      left -= run.length;
    }
  }

  /** What is kept, the rest of the source included. */
  toString(): string {
    if (this.#runStart === 0) return this.#source;
    this.remove(this.#source.length, this.#source.length);
    return this.#runs.join('');
  }
}
