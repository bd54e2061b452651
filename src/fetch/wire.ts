/**
 * What stands between a fetch and the wire, for downloads and for robots probes alike: the host's pacing, a slot, a vetted address.
 * Waits for the first two stand outside the deadline.
 */
import type { Clock } from '../common/clock.port.js';
import type { Deadline } from '../common/deadline.js';
import type { Failure } from '../common/error-codes.js';
import type { Principal } from '../common/principal.js';
import { ok, type Result } from '../common/result.js';
import type { SharedFlight } from '../cache/index.js';
import {
  probeFailed,
  type AddressGuard,
  type ConcurrencySlots,
  type HostPacer,
  type RobotsProbe,
  type VettedAddress,
} from '../safety/index.js';
import type { FetchObserver, FetchWait } from './fetch-observer.port.js';
import type { Exchange, FetchRequest, HeldDocument, ProtocolAdapter } from './protocol.port.js';

/** One fetch under way: for whom, and what its robots probe did for it already (a pacing slot, a resolution, a first contact). */
export interface Attempt {
  readonly principal: Principal;
  paced: boolean;
  addresses: readonly VettedAddress[] | undefined;
  tofuWarning: string | undefined;
}

/** What one download gave: the exchange, and when it ended. */
export interface Download<D extends HeldDocument> {
  readonly exchange: Exchange<D>;
  readonly fetchedAtMs: number;
  /** Its right to download, to be ended once the answer is stored. */
  readonly flight?: SharedFlight;
}

/** What {@link Wire} is built from. */
export interface WireParts {
  readonly pacer: HostPacer;
  readonly slots: ConcurrencySlots;
  readonly guard: AddressGuard;
  readonly observer: FetchObserver;
  readonly clock: Clock;
}

/** See the file's header. */
export class Wire<R extends FetchRequest, D extends HeldDocument> {
  /** @param maxWaitMs longest wait for a slot */
  constructor(
    private readonly adapter: Pick<ProtocolAdapter<R, D>, 'name' | 'exchange' | 'probeRobots'>,
    private readonly parts: WireParts,
    private readonly maxWaitMs: number,
  ) {}

  async download(request: R, deadline: Deadline, attempt: Attempt): Promise<Download<D>> {
    const { pacer, slots, guard, clock } = this.parts;
    const at = (exchange: Exchange<D>): Download<D> => ({ exchange, fetchedAtMs: clock.nowMs() });
    if (!attempt.paced) {
      const turn = await this.#wait('pacing', deadline, () => pacer.acquire(request.host, deadline.signal));
      if (!turn.ok) return at({ kind: 'failure', failure: turn.error });
    }
    const slot = await this.#wait('slot', deadline, () => slots.acquire(deadline.signal, this.maxWaitMs));
    if (!slot.ok) return at({ kind: 'failure', failure: slot.error });
    try {
      const vetted: Result<readonly VettedAddress[], Failure> = attempt.addresses
        ? ok(attempt.addresses)
        : await guard.vet(request, deadline);
      if (!vetted.ok) return at({ kind: 'failure', failure: vetted.error });
      const exchange = await this.adapter.exchange(request, {
        principal: attempt.principal,
        addresses: vetted.value,
        deadline,
      });
      if (exchange.kind === 'failure' && exchange.slowDown !== undefined)
        pacer.slowDown(request.host, exchange.slowDown);
      else if (exchange.kind !== 'failure' || exchange.connection) pacer.answered(request.host);
      return at(withRemark(exchange, attempt.tofuWarning));
    } finally {
      slot.value();
    }
  }

  async probe(request: R, deadline: Deadline, attempt: Attempt): Promise<RobotsProbe> {
    const { pacer, guard } = this.parts;
    if (!attempt.paced) {
      const turn = await this.#wait('pacing', deadline, () => pacer.acquire(request.host, deadline.signal));
      if (!turn.ok) return { kind: 'surface', failure: turn.error };
      attempt.paced = true;
    }
    const vetted = await guard.vet(request, deadline);
    if (!vetted.ok) return probeFailed(vetted.error);
    attempt.addresses = vetted.value;
    const { connection, ...probe } = await this.adapter.probeRobots(request, {
      principal: attempt.principal,
      addresses: vetted.value,
      deadline,
    });
    attempt.tofuWarning = connection?.tofu_warning ?? attempt.tofuWarning;
    if (probe.kind === 'unavailable' && probe.slowDown !== undefined) pacer.slowDown(request.host, probe.slowDown);
    else if (connection) pacer.answered(request.host);
    return probe;
  }

  /** Waits with the wire time standing still. */
  async #wait<T>(cause: FetchWait['cause'], deadline: Deadline, wait: () => Promise<T>): Promise<T> {
    const { clock, observer } = this.parts;
    const startedMs = clock.monotonicMs();
    const outcome = await deadline.paused(wait);
    observer.onWait?.({ protocol: this.adapter.name, cause, durationMs: clock.monotonicMs() - startedMs });
    return outcome;
  }
}

/**
 * The first contact was the robots probe: its remark on the new pin belongs to the caller of this fetch, and says all that this
 * connection's own remark on the same certificate would say.
 */
function withRemark<D extends HeldDocument>(exchange: Exchange<D>, tofuWarning: string | undefined): Exchange<D> {
  if (tofuWarning === undefined || !exchange.connection) return exchange;
  return { ...exchange, connection: { ...exchange.connection, tofu_warning: tofuWarning } };
}
