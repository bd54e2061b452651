/**
 * Lets requests to one host start one after the other, in the order they came, and waits for the host's own pauses.
 *
 * Whoever wants to start stands in line. The first in line asks the store; told to wait, it sleeps and asks again, so a
 * pause that came up meanwhile counts, and is woken early when one does. Those behind have asked once on arrival, to be
 * refused before they wait rather than after, and sleep until they are first. Order and spacing follow from that alone:
 * nothing is reserved ahead that would have to be moved or given back.
 */
import type { Clock } from '../common/clock.port.js';
import type { Failure } from '../common/error-codes.js';
import { err, ok, type Result } from '../common/result.js';
import { abortedFailure } from './core/aborted.js';
import {
  clampPauseSeconds,
  hostAskedFailure,
  namedPauseSeconds,
  nextUnnamedPause,
  ownPacingFailure,
  type UnnamedPause,
} from './core/slow-down.js';
import { SweptMap } from './core/swept-map.js';
import type { PacingStore } from './pacing-store.port.js';

/** Settings of a {@link HostPacer}. */
export interface HostPacerOptions {
  /** Starts per minute and host; 0 = no spacing of our own. */
  readonly requestsPerMinute: number;
  /** Longest wait for our own spacing, milliseconds. */
  readonly maxWaitMs: number;
  /** Longest pause asked for by the host that is waited out, milliseconds. */
  readonly hostWaitLimitMs: number;
  /** Start of this protocol's variable names, e.g. `GOPHER_`. */
  readonly variablePrefix: string;
}

/** See the file's header. One for each protocol; hosts are named in their normalised form. */
export class HostPacer {
  readonly #intervalMs: number;
  /** One for each host at which somebody waits. */
  readonly #lines = new Map<string, Line>();
  readonly #unnamedPauses: SweptMap<UnnamedPause>;

  constructor(
    private readonly options: HostPacerOptions,
    private readonly store: PacingStore,
    private readonly clock: Clock,
  ) {
    this.#intervalMs = options.requestsPerMinute > 0 ? 60_000 / options.requestsPerMinute : 0;
    this.#unnamedPauses = new SweptMap((pause) => pause.endsAtMs <= clock.monotonicMs());
  }

  /** Requests that stand in line, at all hosts together. */
  get waiting(): number {
    let waiting = 0;
    for (const line of this.#lines.values()) waiting += line.length;
    return waiting;
  }

  /**
   * Resolves when a request to `host` may start, which counts as its start.
   *
   * SLOW_DOWN, reason `own_pacing` or `host_asked` with `retry_after_seconds`, when it would have to wait too long; then
   * nothing is reserved. FETCH_ERROR when `signal` aborts.
   */
  async acquire(host: string, signal: AbortSignal): Promise<Result<void, Failure>> {
    const line = this.#lineAt(host);
    const turn = new Turn();
    line.join(turn);
    try {
      return await this.#stand(host, line, turn, signal);
    } finally {
      line.leave(turn);
      if (line.first === undefined) this.#lines.delete(host);
    }
  }

  /** Keeps everything away from `host` for `seconds` from now on, 0..300 (infinite counts as 300, not a number as 0). */
  async penalise(host: string, seconds: number): Promise<void> {
    await this.store.penalise(host, clampPauseSeconds(seconds) * 1000);
    this.#lines.get(host)?.first?.wake();
  }

  /**
   * Takes account of an answer by which `host` asks to slow down, and tells the seconds of pause that now begin.
   *
   * @param field the host's own words behind the status, e.g. `30`
   * @see https://geminiprotocol.net/docs/protocol-specification.gmi status 44
   */
  slowDown(host: string, field: string): number {
    const seconds = namedPauseSeconds(field) ?? this.#unnamedPause(host);
    void this.penalise(host, seconds);
    return seconds;
  }

  /** Takes account of any other answer of `host`: the next pause without a number starts small again. */
  answered(host: string): void {
    this.#unnamedPauses.delete(host);
  }

  async #stand(host: string, line: Line, turn: Turn, signal: AbortSignal): Promise<Result<void, Failure>> {
    const { maxWaitMs: maxOwnWaitMs, hostWaitLimitMs: maxHostWaitMs, variablePrefix } = this.options;
    const arrivedMs = this.clock.monotonicMs();
    let ahead = 0;
    if (line.first !== turn) {
      // The first one may have started, if its question is still open; then it is nobody to wait for.
      await line.asking;
      ahead = line.placesBefore(turn);
    }
    let admitted = false;
    while (!signal.aborted) {
      const asking = this.store.reserve(host, {
        intervalMs: this.#intervalMs,
        ahead,
        standing: line.length,
        waitedMs: this.clock.monotonicMs() - arrivedMs,
        admitted,
        maxOwnWaitMs,
        maxHostWaitMs,
      });
      if (ahead === 0) line.asking = asking;
      const decision = await asking;
      switch (decision.kind) {
        case 'start':
          line.leave(turn);
          return ok(undefined);
        case 'refuse':
          return err(
            decision.reason === 'host_asked'
              ? hostAskedFailure(host, decision.retryAfterMs)
              : ownPacingFailure(host, decision.retryAfterMs, variablePrefix),
          );
        case 'wait':
          // Only the first in line waits for a time; the others wait to be first.
          if (ahead === 0) await turn.rest(this.clock, decision.waitMs, signal);
          else await this.#restUntilFirst(line, turn, signal);
          ahead = 0;
          admitted = true;
      }
    }
    return err(abortedFailure(signal, `Waiting for a turn at ${host}`));
  }

  async #restUntilFirst(line: Line, turn: Turn, signal: AbortSignal): Promise<void> {
    while (line.first !== turn && !signal.aborted) await turn.rest(this.clock, null, signal);
  }

  #lineAt(host: string): Line {
    const known = this.#lines.get(host);
    if (known) return known;
    const line = new Line();
    this.#lines.set(host, line);
    return line;
  }

  #unnamedPause(host: string): number {
    const pause = nextUnnamedPause(this.#unnamedPauses.get(host), this.clock.monotonicMs());
    this.#unnamedPauses.set(host, pause);
    return pause.seconds;
  }
}

/** Those who wait for one host, in order of arrival. */
class Line {
  readonly #turns = new Set<Turn>();
  /** What the first in line asked the store last. */
  asking: Promise<unknown> = Promise.resolve();

  get length(): number {
    return this.#turns.size;
  }

  get first(): Turn | undefined {
    return this.#turns.values().next().value;
  }

  join(turn: Turn): void {
    this.#turns.add(turn);
  }

  /** Leaves from anywhere in the line; when the first one does, the next one is woken. */
  leave(turn: Turn): void {
    const { first } = this;
    this.#turns.delete(turn);
    if (first === turn) this.first?.wake();
  }

  placesBefore(turn: Turn): number {
    let places = 0;
    for (const other of this.#turns) {
      if (other === turn) break;
      places++;
    }
    return places;
  }
}

/** One request in line, which sleeps until its time comes or somebody wakes it. */
class Turn {
  #wake: (() => void) | undefined;
  #woken = false;

  /** Ends the rest, or the next one if none is on: a call that comes between two rests is not lost. */
  wake(): void {
    this.#woken = true;
    this.#wake?.();
  }

  /** Resolves when woken, when `signal` aborts, or after `delayMs`; null = no time of its own. */
  async rest(clock: Clock, delayMs: number | null, signal: AbortSignal): Promise<void> {
    if (!this.#woken && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const cancelTimer = delayMs === null ? undefined : clock.setTimer(Math.ceil(delayMs), finish);
        this.#wake = finish;
        signal.addEventListener('abort', finish, { once: true });
        function finish(): void {
          cancelTimer?.();
          signal.removeEventListener('abort', finish);
          resolve();
        }
      });
    }
    this.#wake = undefined;
    this.#woken = false;
  }
}
