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
import { failure, type Failure } from '../common/error-codes.js';
import { payload, type ResultPayload } from '../common/payload.js';
import type { Principal } from '../common/principal.js';
import type { RequestInfo } from '../common/request-info.js';
import type { CachedPage, PageCache, ResourceAddress, SharedEntries } from '../cache/index.js';
import type { HostPolicy, RobotsGate, RobotsProbe } from '../safety/index.js';
import { runBatch } from './batch.js';
import type { FetchContext, FetchRecord } from './fetch-observer.port.js';
import { HeldBodies, type BodyStore } from './held-bodies.js';
import { InFlight } from './in-flight.js';
import { flightKey, hostAddress, resourceAddress, separated, windowName } from './page-keys.js';
import { PageRenderer, type PageBounds } from './page-renderer.js';
import type { FetchCall, FetchRequest, HeldDocument, IncompleteReason, ProtocolAdapter } from './protocol.port.js';
import { errorPayload, freshPage, replayedPage, stampedInfo, untrustedFrom } from './results.js';
import { SharedBodies } from './shared-bodies.js';
import { MAX_WAITS, SharedDownloads } from './shared-downloads.js';
import { Wire, type Attempt, type Download, type WireParts } from './wire.js';

/** Settings of one protocol's pipeline. */
export interface PipelineOptions extends PageBounds {
  /** Wire time of one fetch, milliseconds. */
  readonly timeoutMs: number;
  /** Longest wait for own pacing, or for a slot, milliseconds. */
  readonly maxWaitMs: number;
  readonly cacheEnabled: boolean;
  readonly cacheTtlMs: number;
  readonly heldBodiesMaxBytes: number;
  /** Whether all tenants share the pages that need no identity. Default: each has its own. */
  readonly sharedCache?: boolean;
}

/** What a pipeline is built from. */
export interface PipelineParts extends WireParts {
  readonly hostPolicy: HostPolicy;
  /** Null when robots.txt is not respected. */
  readonly robots: RobotsGate | null;
  readonly pages: PageCache;
  /** What replicas know together; null where this process stands alone. */
  readonly shared?: SharedEntries | null;
}

/** How one fetch ended, for the observer. */
type Ending = Pick<FetchRecord, 'source' | 'code' | 'reason' | 'cause' | 'warning'>;

/** See the file's header. */
export class FetchPipeline<R extends FetchRequest = FetchRequest, D extends HeldDocument = HeldDocument> {
  readonly #bodies: BodyStore<D>;
  readonly #inFlight: InFlight<Download<D> | 'elsewhere'>;
  readonly #fleet: SharedDownloads | null;
  readonly #renderer: PageRenderer<R, D>;
  readonly #wire: Wire<R, D>;

  constructor(
    private readonly adapter: ProtocolAdapter<R, D>,
    private readonly parts: PipelineParts,
    private readonly options: PipelineOptions,
  ) {
    const { shared = null, clock } = parts;
    const bodies = new HeldBodies<D>({ maxBytes: options.heldBodiesMaxBytes, clock });
    this.#bodies = shared ? new SharedBodies(shared, bodies) : bodies;
    this.#fleet = shared && new SharedDownloads(shared, clock);
    this.#inFlight = new InFlight(parts.clock);
    this.#renderer = new PageRenderer(adapter, options, parts.clock);
    this.#wire = new Wire(adapter, parts, options.maxWaitMs);
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
    const address = hostAddress(host, port);
    this.#bodies.dropHost(address);
    await this.parts.pages.dropHost(address);
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
    const refusal = this.#hostRefusal(request, principal) ?? this.adapter.refuse(request);
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

  /** What the deployment refuses no tenant can allow. */
  #hostRefusal({ host }: R, { rules }: Principal): Failure | null {
    return this.parts.hostPolicy.check(host) ?? rules?.hosts.get(this.adapter.name)?.check(host) ?? null;
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
      const probe = (probeDeadline: Deadline): Promise<RobotsProbe> =>
        this.#wire.probe(request, probeDeadline, attempt);
      const allowed = await this.parts.robots.check({ host, port, paths }, probe, deadline);
      if (!allowed.ok) {
        const info = stampedInfo(echo, this.parts.clock.nowMs());
        return [errorPayload(allowed.error, info, request), { source: 'none', ...endingOf(allowed.error) }];
      }
    }
    const at = await this.#address(request, attempt.principal);
    if (at === null) {
      const unshared = await this.#wire.download(request, deadline, attempt);
      return this.#answer(call, request, echo, unshared, deadline, attempt);
    }
    if (call.refresh) {
      this.#bodies.drop(at);
      await this.parts.pages.dropResource(at);
    } else {
      const stored = await this.#stored(call, request, echo, at, deadline);
      if (stored) return stored;
    }
    for (let waits = 0; ; waits++) {
      const isLast = call.refresh || waits === MAX_WAITS;
      const download = await this.#inFlight.share(
        flightKey(at, attempt.principal.tenant),
        deadline,
        call.refresh,
        (own) => (isLast ? this.#wire.download(request, own, attempt) : this.#board(request, at, own, attempt)),
      );
      if (download !== 'elsewhere') return this.#answer(call, request, echo, download, deadline, attempt);
      const stored = await this.#stored(call, request, echo, at, deadline);
      if (stored) return stored;
    }
  }

  /** Downloads, unless another replica has just done so. */
  async #board(
    request: R,
    at: ResourceAddress,
    deadline: Deadline,
    attempt: Attempt,
  ): Promise<Download<D> | 'elsewhere'> {
    const fleet = this.#fleet;
    if (fleet === null) return this.#wire.download(request, deadline, attempt);
    const { timeoutMs, maxWaitMs } = this.options;
    const boarded = await deadline.paused(() => fleet.board(at, deadline.signal, timeoutMs + maxWaitMs));
    if (boarded === 'look') return 'elsewhere';
    if (boarded === 'alone') return this.#wire.download(request, deadline, attempt);
    try {
      const download = await this.#wire.download(request, deadline, attempt);
      return { ...download, flight: boarded };
    } catch (thrown) {
      boarded.end(false);
      throw thrown;
    } finally {
      boarded.landed();
    }
  }

  /** Address of everything stored of this resource for this caller; null when nothing may be. */
  async #address(request: R, principal: Principal): Promise<ResourceAddress | null> {
    if (!this.options.cacheEnabled || request.key === null) return null;
    return this.#addressed(request, await this.adapter.variant(request, principal), principal, request.key);
  }

  #addressed(request: R, variant: string, { tenant }: Principal, key: string): ResourceAddress {
    return resourceAddress(request, separated(variant, tenant, this.options.sharedCache ?? false), key);
  }

  /** The window from the page cache, else rendered from a held body. */
  async #stored(
    call: FetchCall,
    request: R,
    echo: RequestInfo,
    at: ResourceAddress,
    deadline: Deadline,
  ): Promise<[ResultPayload, Ending] | undefined> {
    const cached = await this.parts.pages.get({ ...at, window: windowName(call) });
    const nowMs = this.parts.clock.nowMs();
    if (cached) {
      return [replayedPage(cached, stampedInfo(echo, nowMs, cached.connection), nowMs), { source: 'cache' }];
    }
    const body = await this.#bodies.get(at);
    if (!body) return undefined;
    const { page } = await this.#renderer.render(call, request, echo, body, deadline);
    await this.#keep(call, at, page);
    return [replayedPage(page, stampedInfo(echo, nowMs, page.connection), nowMs), { source: 'held' }];
  }

  async #answer(
    call: FetchCall,
    request: R,
    echo: RequestInfo,
    { exchange, fetchedAtMs, flight }: Download<D>,
    deadline: Deadline,
    { principal }: Attempt,
  ): Promise<[ResultPayload, Ending]> {
    const info = stampedInfo(echo, this.parts.clock.nowMs(), exchange.connection);
    const { client_cert_warning: warning } = info;
    const wire: Ending = { source: 'wire', ...(warning !== undefined && { warning }) };
    if (exchange.kind !== 'document') flight?.end(false);
    switch (exchange.kind) {
      case 'failure': {
        const { failure: error, connection } = exchange;
        const result = connection ? errorPayload(error, info, request) : this.#failed(error, call, request);
        return [result, { ...wire, ...endingOf(error) }];
      }
      case 'answer': {
        const members = { ...exchange.members, ...untrustedFrom(request) };
        return [payload(members, { request_info: { ...info } }), wire];
      }
      case 'document': {
        const { document, incomplete, connection, variant = '' } = exchange;
        const body = { document, incomplete, connection, fetchedAtMs };
        const { page, nextOffset } = await this.#renderer.render(call, request, info, body, deadline);
        if (this.options.cacheEnabled && request.key !== null && isKept(incomplete)) {
          const at = this.#addressed(request, variant, principal, request.key);
          await this.#keep(call, at, page);
          if (nextOffset !== null) {
            const held = { ...body, connection: page.connection };
            await this.#bodies.hold(at, held, this.options.cacheTtlMs);
          }
          flight?.end(true);
        } else flight?.end(false);
        return [freshPage(page, info), wire];
      }
    }
  }

  async #keep(call: FetchCall, at: ResourceAddress, page: CachedPage): Promise<void> {
    const ttlMs = this.options.cacheTtlMs - (this.parts.clock.nowMs() - page.fetchedAtMs);
    if (ttlMs <= 0) return;
    await this.parts.pages.set({ ...at, window: windowName(call) }, page, ttlMs);
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
