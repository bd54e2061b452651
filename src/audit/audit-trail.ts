/**
 * The audit: takes a line for each call that ends and for each request that is turned away, and writes them one after the other. Nobody
 * waits for it: lines wait here until the disk has taken the ones before, all that are waiting go in one write.
 *
 * While they cannot be written, calls go on. Lines wait up to a bound, it is tried again every second, and the log, the metrics and the
 * readiness report tell. Lines beyond the bound are lost; their number is written as a line of its own (`gap`) as soon as lines can be
 * written again. So what is missing shows in the audit itself.
 */
import type { CallObserver, CallStart, RecordKeeping, TurnedAway, WatchedCall } from '../common/call-observer.port.js';
import type { Clock } from '../common/clock.port.js';
import { sessionDigest } from '../common/session-digest.js';
import { asError } from '../common/thrown.js';
import type { Log } from '../logging/index.js';
import type { AuditSink } from './audit-sink.port.js';
import { callLine, trailLine, turnedAwayLine } from './core/audit-line.js';
import type { HashChain } from './core/chain.js';

/** Most characters of lines that wait. */
export const MAX_WAITING_CHARS = 8 * 1024 * 1024;

/** Most characters of lines in one write. */
const MAX_BATCH_CHARS = 256 * 1024;

/** Time until writing is tried again, in milliseconds. */
export const RETRY_AFTER_MS = 1000;

/** What the audit is built from. */
export interface AuditTrailParts {
  readonly sink: AuditSink;
  /** Null = lines carry no hashes. */
  readonly chain: HashChain | null;
  readonly clock: Clock;
  readonly log: Log;
  /** Of this server, for the line that begins a run. */
  readonly version: string;
}

/** See the file's header. */
export class AuditTrail implements CallObserver, RecordKeeping {
  #waiting: string[] = [];
  #waitingChars = 0;
  /** Bytes of lines that are on their way, and how many lines they are. */
  #batch: Buffer = Buffer.alloc(0);
  #batchLines = 0;
  #written = 0;
  #lost = 0;
  #lostUntold = 0;
  #isFailing = false;
  #isClosing = false;
  #writing: Promise<void> | undefined;
  #cancelRetry: (() => void) | undefined;

  constructor(private readonly parts: AuditTrailParts) {
    this.#add(trailLine('start', parts.clock.nowMs(), { version: parts.version }));
  }

  get written(): number {
    return this.#written;
  }

  get lost(): number {
    return this.#lost;
  }

  get isFailing(): boolean {
    return this.#isFailing;
  }

  begin(call: CallStart): WatchedCall {
    const { clock } = this.parts;
    const startedMs = clock.monotonicMs();
    return {
      end: (end) => {
        const durationMs = clock.monotonicMs() - startedMs;
        const session = call.session === undefined ? null : sessionDigest(call.session);
        this.#add(callLine({ call, end, session, durationMs }, clock.nowMs()));
      },
    };
  }

  turnedAway(event: TurnedAway): void {
    this.#add(turnedAwayLine(event, this.parts.clock.nowMs()));
  }

  /** Writes what waits and a line that says that the run ends; what cannot be written then is lost. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#cancelRetry?.();
    await this.#idle();
    this.#add(trailLine('stop', this.parts.clock.nowMs(), { lost: this.#lost }));
    await this.#idle();
    const unwritten = this.#waiting.length + this.#batchLines;
    if (unwritten > 0) this.parts.log.error('audit lines lost at the stop', { lines: unwritten });
    await this.parts.sink.close();
  }

  #add(line: string): void {
    if (this.#waitingChars + line.length > MAX_WAITING_CHARS) {
      this.#lost += 1;
      this.#lostUntold += 1;
      return;
    }
    this.#waiting.push(line);
    this.#waitingChars += line.length;
    if (this.#cancelRetry === undefined || this.#isClosing) this.#start();
  }

  async #idle(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  #start(): void {
    this.#cancelRetry = undefined;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
      // A line that came when the last write was done, and before this.
      if (this.#waiting.length > 0 && !this.#isFailing) this.#start();
    });
  }

  /** Never rejects. */
  async #writeAll(): Promise<void> {
    try {
      while (this.#batchLines > 0 || this.#waiting.length > 0) {
        if (this.#batchLines === 0) this.#nextBatch();
        while (this.#batch.length > 0) this.#batch = this.#batch.subarray(await this.parts.sink.append(this.#batch));
        if (this.parts.chain !== null) await this.parts.sink.note(this.parts.chain.last);
        this.#written += this.#batchLines;
        this.#batchLines = 0;
        this.#recovered();
      }
    } catch (thrown) {
      this.#failed(thrown);
    }
  }

  /** The lines that wait, as far as they fit into one write. */
  #nextBatch(): void {
    let count = 0;
    for (let chars = 0; count < this.#waiting.length && chars < MAX_BATCH_CHARS; count++) {
      chars += this.#waiting[count]?.length ?? 0;
    }
    const lines = this.#waiting.splice(0, count);
    for (const line of lines) this.#waitingChars -= line.length;
    const { chain } = this.parts;
    const sealed = chain === null ? lines : lines.map((line) => chain.seal(line));
    this.#batch = Buffer.from(`${sealed.join('\n')}\n`);
    this.#batchLines = count;
  }

  #recovered(): void {
    if (this.#isFailing) this.parts.log.info('audit lines are written again', { lost: this.#lostUntold });
    this.#isFailing = false;
    if (this.#lostUntold === 0) return;
    const lost = this.#lostUntold;
    this.#lostUntold = 0;
    this.#add(trailLine('gap', this.parts.clock.nowMs(), { lost }));
  }

  #failed(thrown: unknown): void {
    if (!this.#isFailing) this.parts.log.error('audit lines cannot be written', { error: asError(thrown) });
    this.#isFailing = true;
    if (!this.#isClosing) this.#cancelRetry = this.parts.clock.setTimer(RETRY_AFTER_MS, () => this.#start());
  }
}
