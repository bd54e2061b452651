/**
 * The one way of a fetch, for every protocol:
 *
 *   parse -> allow-list -> refusals without network -> robots -> cache -> held body -> pacing -> slot -> vetted address
 *   -> exchange -> window -> store
 *
 * Each step is one call that can be read in one place. One {@link Deadline} runs through all of them; waits for pacing and
 * for a slot stand outside it. Everything that can go wrong comes back as a payload of kind `error`.
 */
import { DeadlineError, Deadline } from '../common/deadline.js';
import type { Clock } from '../common/clock.port.js';
import { failure, type Failure } from '../common/error-codes.js';
import { payload, type ResultPayload } from '../common/payload.js';
import type { Principal } from '../common/principal.js';
import type { RequestInfo } from '../common/request-info.js';
import { ok, type Result } from '../common/result.js';
import type { CachedPage, PageCache } from '../cache/index.js';
import {
  probeFailed,
  type AddressGuard,
  type ConcurrencySlots,
  type HostPacer,
  type HostPolicy,
  type RobotsGate,
  type RobotsProbe,
  type VettedAddress,
} from '../safety/index.js';
import { runBatch } from './batch.js';
import type { FetchContext, FetchObserver, FetchRecord, FetchWait } from './fetch-observer.port.js';
import { HeldBodies } from './held-bodies.js';
import { InFlight } from './in-flight.js';
import { hostTag, resourceKey, windowKey } from './page-keys.js';
import { PageRenderer, type PageBounds } from './page-renderer.js';
import type {
  Exchange,
  FetchCall,
  FetchRequest,
  HeldDocument,
  IncompleteReason,
  ProtocolAdapter,
} from './protocol.port.js';
import { errorPayload, freshPage, replayedPage, stampedInfo, untrustedFrom } from './results.js';

/** Settings of one protocol's pipeline. */
export interface PipelineOptions extends PageBounds {
  /** Wire time of one fetch, milliseconds. */
  readonly timeoutMs: number;
  /** Longest wait for own pacing, or for a slot, milliseconds. */
  readonly maxWaitMs: number;
  readonly cacheEnabled: boolean;
  readonly cacheTtlMs: number;
  readonly heldBodiesMaxBytes: number;
}

/** What a pipeline is built from. */
export interface PipelineParts {
  readonly hostPolicy: HostPolicy;
  /** Null when robots.txt is not respected. */
  readonly robots: RobotsGate | null;
  readonly pacer: HostPacer;
  readonly slots: ConcurrencySlots;
  readonly guard: AddressGuard;
  readonly pages: PageCache;
  readonly observer: FetchObserver;
  readonly clock: Clock;
}

/** One fetch under way: for whom, and what its robots probe did for it already (a pacing slot, a resolution, a first contact). */
interface Attempt {
  readonly principal: Principal;
  paced: boolean;
  addresses: readonly VettedAddress[] | undefined;
  tofuWarning: string | undefined;
}

/** What one download gave: the exchange, and when it ended. */
interface Download<D extends HeldDocument> {
  readonly exchange: Exchange<D>;
  readonly fetchedAtMs: number;
}

/** How one fetch ended, for the observer. */
type Ending = Pick<FetchRecord, 'source' | 'code' | 'reason' | 'cause'>;

/** See the file's header. */
export class FetchPipeline<R extends FetchRequest = FetchRequest, D extends HeldDocument = HeldDocument> {
  readonly #bodies: HeldBodies<D>;
  readonly #inFlight: InFlight<Download<D>>;
  readonly #renderer: PageRenderer<R, D>;

  constructor(
    private readonly adapter: ProtocolAdapter<R, D>,
    private readonly parts: PipelineParts,
    private readonly options: PipelineOptions,
  ) {
    this.#bodies = new HeldBodies({ maxBytes: options.heldBodiesMaxBytes, clock: parts.clock });
    this.#inFlight = new InFlight(parts.clock);
    this.#renderer = new PageRenderer(adapter, options, parts.clock);
    const { observer, pacer, slots } = parts;
    observer.onPipeline?.(adapter.name, () => ({
      pacing: pacer.waiting,
      slotsTaken: slots.taken,
      slotsWaiting: slots.waiting,
      slots: slots.limit,
    }));
  }

  /** Lowercase scheme of the protocol. */
  get protocol(): string {
    return this.adapter.name;
  }

  /**
   * Fetches one resource. Always resolves with a payload; a failure is kind `error`.
   *
   * @param signal aborts every wait and socket of this fetch when the caller cancels
   */
  async fetch(
    call: FetchCall,
    signal: AbortSignal,
    { principal, trace, requestId, onFetch }: FetchContext,
  ): Promise<ResultPayload> {
    const startedMs = this.parts.clock.monotonicMs();
    const [result, ending, request] = await this.#fetch(call, signal, principal);
    const record: FetchRecord = {
      protocol: this.adapter.name,
      request,
      kind: result.kind,
      bytes: result.kind === 'error' ? 0 : result.constant.byteLength,
      durationMs: this.parts.clock.monotonicMs() - startedMs,
      ...(trace && { trace }),
      ...(requestId !== undefined && { requestId }),
      ...ending,
    };
    this.parts.observer.onFetch(record);
    onFetch?.(record);
    return result;
  }

  /**
   * Fetches several resources at once; result i belongs to call i. Calls that are not done after the longest wait and the
   * wire time of one fetch together end as time-outs.
   *
   * @param onDone is told after each one how many are finished
   */
  async fetchAll(
    calls: readonly FetchCall[],
    signal: AbortSignal,
    onDone: (finished: number) => void,
    context: FetchContext,
  ): Promise<ResultPayload[]> {
    const limitMs = this.options.maxWaitMs + this.options.timeoutMs;
    const deadline = new Deadline(this.parts.clock, limitMs, signal);
    try {
      return await runBatch(calls, deadline.signal, (call, own) => this.fetch(call, own, context), onDone);
    } finally {
      deadline.dispose();
    }
  }

  /** The echo of a URL that is not even tried: without query and userinfo. */
  describeRefused(url: string): RequestInfo {
    return this.adapter.describeRefused(url);
  }

  /** Forgets what was stored of a host and port: its certificate changed, or a person changed its pin. */
  async evictHost(host: string, port: number): Promise<void> {
    const tag = hostTag(host, port);
    this.#bodies.dropHost(tag);
    await this.parts.pages.dropTag(tag);
  }

  /** Forgets every stored page and body. */
  async clear(): Promise<void> {
    this.#bodies.clear();
    await this.parts.pages.clear();
  }

  /** The answer, how it came about, and the echo of what was asked. */
  async #fetch(
    call: FetchCall,
    signal: AbortSignal,
    principal: Principal,
  ): Promise<[ResultPayload, Ending, RequestInfo]> {
    const parsed = this.adapter.parse(call);
    if (!parsed.ok) {
      const ending: Ending = { source: 'none', ...endingOf(parsed.error) };
      return [this.#failed(parsed.error, call), ending, this.adapter.describeRefused(call.url)];
    }
    const request = parsed.value;
    const echo = this.adapter.describe(request);
    const refusal = this.parts.hostPolicy.check(request.host) ?? this.adapter.refuse(request);
    if (refusal) return [this.#failed(refusal, call, request), { source: 'none', ...endingOf(refusal) }, echo];
    const deadline = new Deadline(this.parts.clock, this.options.timeoutMs, signal);
    const attempt: Attempt = { principal, paced: false, addresses: undefined, tofuWarning: undefined };
    try {
      return [...(await this.#run(call, request, echo, deadline, attempt)), echo];
    } catch (thrown) {
      const error = this.#thrown(thrown, deadline);
      return [this.#failed(error, call, request), { source: 'wire', ...endingOf(error) }, echo];
    } finally {
      deadline.dispose();
    }
  }

  async #run(
    call: FetchCall,
    request: R,
    echo: RequestInfo,
    deadline: Deadline,
    attempt: Attempt,
  ): Promise<[ResultPayload, Ending]> {
    if (this.parts.robots) {
      const { host, port, robotsPaths: paths } = request;
      const probe = (probeDeadline: Deadline): Promise<RobotsProbe> => this.#probe(request, probeDeadline, attempt);
      const allowed = await this.parts.robots.check({ host, port, paths }, probe, deadline);
      if (!allowed.ok) {
        const info = stampedInfo(echo, this.parts.clock.nowMs());
        return [errorPayload(allowed.error, info, request), { source: 'none', ...endingOf(allowed.error) }];
      }
    }
    const resource = await this.#resource(request, attempt.principal);
    if (resource === null) {
      const unshared = await this.#download(request, deadline, attempt);
      return this.#answer(call, request, echo, unshared, deadline);
    }
    if (call.refresh) {
      this.#bodies.drop(resource);
      await this.parts.pages.dropTag(resource);
    } else {
      const stored = await this.#stored(call, request, echo, resource, deadline);
      if (stored) return stored;
    }
    const download = await this.#inFlight.share(resource, deadline, call.refresh, (own) =>
      this.#download(request, own, attempt),
    );
    return this.#answer(call, request, echo, download, deadline);
  }

  /** Key of everything stored of this resource for this caller; null when nothing may be. */
  async #resource(request: R, principal: Principal): Promise<string | null> {
    if (!this.options.cacheEnabled || request.key === null) return null;
    return resourceKey(await this.adapter.variant(request, principal), request.key);
  }

  /** The window from the page cache, else rendered from a held body. */
  async #stored(
    call: FetchCall,
    request: R,
    echo: RequestInfo,
    resource: string,
    deadline: Deadline,
  ): Promise<[ResultPayload, Ending] | undefined> {
    const nowMs = this.parts.clock.nowMs();
    const cached = await this.parts.pages.get(windowKey(resource, call));
    if (cached) {
      return [replayedPage(cached, stampedInfo(echo, nowMs, cached.connection), nowMs), { source: 'cache' }];
    }
    const body = this.#bodies.get(resource);
    if (!body) return undefined;
    const { page } = await this.#renderer.render(call, request, echo, body, deadline);
    await this.#keep(call, request, resource, page);
    return [replayedPage(page, stampedInfo(echo, nowMs, page.connection), nowMs), { source: 'held' }];
  }

  async #download(request: R, deadline: Deadline, attempt: Attempt): Promise<Download<D>> {
    const { pacer, slots, guard, clock } = this.parts;
    const at = (exchange: Exchange<D>): Download<D> => ({ exchange, fetchedAtMs: clock.nowMs() });
    if (!attempt.paced) {
      const turn = await this.#wait('pacing', deadline, () => pacer.acquire(request.host, deadline.signal));
      if (!turn.ok) return at({ kind: 'failure', failure: turn.error });
    }
    const slot = await this.#wait('slot', deadline, () => slots.acquire(deadline.signal, this.options.maxWaitMs));
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

  async #probe(request: R, deadline: Deadline, attempt: Attempt): Promise<RobotsProbe> {
    if (!attempt.paced) {
      const { pacer } = this.parts;
      const turn = await this.#wait('pacing', deadline, () => pacer.acquire(request.host, deadline.signal));
      if (!turn.ok) return { kind: 'surface', failure: turn.error };
      attempt.paced = true;
    }
    const vetted = await this.parts.guard.vet(request, deadline);
    if (!vetted.ok) return probeFailed(vetted.error);
    attempt.addresses = vetted.value;
    const { connection, ...probe } = await this.adapter.probeRobots(request, {
      principal: attempt.principal,
      addresses: vetted.value,
      deadline,
    });
    attempt.tofuWarning = connection?.tofu_warning ?? attempt.tofuWarning;
    if (probe.kind === 'unavailable' && probe.slowDown !== undefined) {
      this.parts.pacer.slowDown(request.host, probe.slowDown);
    } else if (connection) {
      this.parts.pacer.answered(request.host);
    }
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

  async #answer(
    call: FetchCall,
    request: R,
    echo: RequestInfo,
    { exchange, fetchedAtMs }: Download<D>,
    deadline: Deadline,
  ): Promise<[ResultPayload, Ending]> {
    const info = stampedInfo(echo, this.parts.clock.nowMs(), exchange.connection);
    switch (exchange.kind) {
      case 'failure': {
        const { failure: error, connection } = exchange;
        const result = connection ? errorPayload(error, info, request) : this.#failed(error, call, request);
        return [result, { source: 'wire', ...endingOf(error) }];
      }
      case 'answer': {
        const members = { ...exchange.members, ...untrustedFrom(request) };
        return [payload(members, { request_info: { ...info } }), { source: 'wire' }];
      }
      case 'document': {
        const { document, incomplete, connection, variant = '' } = exchange;
        const body = { document, incomplete, connection, fetchedAtMs };
        const { page, nextOffset } = await this.#renderer.render(call, request, info, body, deadline);
        if (this.options.cacheEnabled && request.key !== null && isKept(incomplete)) {
          const resource = resourceKey(variant, request.key);
          await this.#keep(call, request, resource, page);
          if (nextOffset !== null) {
            const held = { ...body, connection: page.connection };
            this.#bodies.hold(resource, hostTag(request.host, request.port), held, this.options.cacheTtlMs);
          }
        }
        return [freshPage(page, info), { source: 'wire' }];
      }
    }
  }

  async #keep(call: FetchCall, request: R, resource: string, page: CachedPage): Promise<void> {
    const ttlMs = this.options.cacheTtlMs - (this.parts.clock.nowMs() - page.fetchedAtMs);
    if (ttlMs <= 0) return;
    const tags = [resource, hostTag(request.host, request.port)];
    await this.parts.pages.set(windowKey(resource, call), page, ttlMs, tags);
  }

  /** An error where no server answered: the URL is told as it was given, without its query. */
  #failed(error: Failure, { url }: FetchCall, request?: R): ResultPayload {
    const echo = { ...(request && this.adapter.describe(request)), ...this.adapter.describeRefused(url) };
    return errorPayload(error, stampedInfo(echo, this.parts.clock.nowMs()), request);
  }

  /** A deadline that ended a wait arrives as its error; anything else thrown is a fault of ours, told without details. */
  #thrown(thrown: unknown, deadline: Deadline): Failure {
    if (thrown instanceof DeadlineError) return deadline.failure('The fetch');
    return failure('FETCH_ERROR', 'The fetch failed because of an internal fault.', { reason: 'internal' }, thrown);
  }
}

/** A body that ended early is not what the resource says; only a missing close_notify is tolerated. */
function isKept(incomplete: IncompleteReason | null): boolean {
  return incomplete === null || incomplete === 'no_close_notify';
}

function endingOf({ code, facts: { reason }, cause }: Failure): Omit<Ending, 'source'> {
  return { code, ...(reason === undefined ? {} : { reason }), ...(cause === undefined ? {} : { cause }) };
}

/**
 * The first contact was the robots probe: its remark on the new pin belongs to the caller of this fetch, and says all that this
 * connection's own remark on the same certificate would say.
 */
function withRemark<D extends HeldDocument>(exchange: Exchange<D>, tofuWarning: string | undefined): Exchange<D> {
  if (tofuWarning === undefined || !exchange.connection) return exchange;
  return { ...exchange, connection: { ...exchange.connection, tofu_warning: tofuWarning } };
}
