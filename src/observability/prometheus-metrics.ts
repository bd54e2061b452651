/**
 * Counts what happens, and reads what goes on when Prometheus asks. What is on the way of a call does a few additions; everything that
 * can be read at any moment is a gauge, which costs nothing until somebody scrapes.
 *
 * The only file that knows prom-client: it is loaded where metrics are on, and never over stdio.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { RecordKeeping } from '../common/call-observer.port.js';
import type { WatchedStores } from '../common/watched-stores.js';
import type { ErrorCode, Failure, FailureReason } from '../common/error-codes.js';
import type { FetchObserver, FetchRecord, FetchWait, PipelineLoad } from '../fetch/index.js';
import type { Redis } from '../state/index.js';
import { METRICS, type MetricDefinition } from './metric-table.js';

/** What of a server is read at each scrape; each is cheap. */
export interface ServerVitals {
  readonly inFlight: () => number;
  readonly sessionCount: () => number;
  /** Calls that run, and calls that wait for their turn. */
  readonly calls: { readonly inFlight: number; readonly queued: number };
  readonly isDraining: () => boolean;
  readonly stores: Pick<WatchedStores, 'look'>;
  /** Null where there is none. */
  readonly redis: Pick<Redis, 'vitals'> | null;
  /** Mean delay of timers, milliseconds. */
  readonly eventLoopDelayMs: () => number;
  /** The audit, where there is one. */
  readonly audit: RecordKeeping | undefined;
}

/** Why calls are not let in. */
const REFUSALS = [
  ['QUOTA_EXCEEDED', 'subject_quota'],
  ['QUOTA_EXCEEDED', 'tenant_quota'],
  ['OVERLOADED', 'queue_full'],
  ['OVERLOADED', 'queue_wait'],
] as const satisfies readonly (readonly [ErrorCode, FailureReason])[];

const OUTCOMES = ['ok', 'error', 'question', 'fault'] as const;

/** How a tool call ended; see the label `outcome`. */
export type ToolCallOutcome = (typeof OUTCOMES)[number];

type LabelOf<D extends MetricDefinition> = D['labels'][number];

/** See the file's header. */
export class PrometheusMetrics implements FetchObserver {
  readonly #registry = new Registry();
  readonly #fetches = this.#counter(METRICS.fetches);
  readonly #fetchErrors = this.#counter(METRICS.fetchErrors);
  readonly #fetchDuration = this.#histogram(METRICS.fetchDuration);
  readonly #responseSize = this.#histogram(METRICS.responseSize);
  readonly #wait = this.#histogram(METRICS.wait);
  readonly #toolCalls = this.#counter(METRICS.toolCalls);
  readonly #toolDuration = this.#histogram(METRICS.toolDuration);
  readonly #callsRefused = this.#counter(METRICS.callsRefused);
  readonly #pipelines = new Map<string, () => PipelineLoad>();
  /** The scrape that runs: scrapes at the same time share it. */
  #scrape: Promise<string> | undefined;

  /** @param tools names of the tools that are served */
  constructor({ version, tools }: { readonly version: string; readonly tools: readonly string[] }) {
    // A counter that appears with its first event does not show that event as an increase.
    for (const tool of tools) for (const outcome of OUTCOMES) this.#toolCalls.inc({ tool, outcome }, 0);
    for (const [code, reason] of REFUSALS) this.#callsRefused.inc({ code, reason }, 0);
    collectDefaultMetrics({ register: this.#registry });
    this.#gauge(METRICS.info, (gauge) => gauge.set({ version }, 1));
    this.#pipelineGauge(METRICS.pacing, ({ pacing }) => pacing);
    this.#pipelineGauge(METRICS.slotsTaken, ({ slotsTaken }) => slotsTaken);
    this.#pipelineGauge(METRICS.slotQueue, ({ slotsWaiting }) => slotsWaiting);
    this.#pipelineGauge(METRICS.slots, ({ slots }) => slots);
  }

  /** Media type of {@link render}. */
  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Everything, in the text format of Prometheus. */
  render(): Promise<string> {
    this.#scrape ??= this.#registry.metrics().finally(() => (this.#scrape = undefined));
    return this.#scrape;
  }

  /** Adds the gauges of a server; once. */
  watch({ inFlight, sessionCount, calls, isDraining, stores, redis, eventLoopDelayMs, audit }: ServerVitals): void {
    if (redis) this.#watchRedis(redis);
    this.#gauge(METRICS.inFlight, (gauge) => gauge.set(inFlight()));
    this.#gauge(METRICS.callsInFlight, (gauge) => gauge.set(calls.inFlight));
    this.#gauge(METRICS.callsQueued, (gauge) => gauge.set(calls.queued));
    this.#gauge(METRICS.sessions, (gauge) => gauge.set(sessionCount()));
    this.#gauge(METRICS.draining, (gauge) => gauge.set(Number(isDraining())));
    this.#gauge(METRICS.eventLoopDelay, (gauge) => gauge.set(eventLoopDelayMs() / 1000));
    if (audit) this.#watchAudit(audit);
    this.#gauge(METRICS.storeEntries, async (gauge) => {
      const states = await stores.look();
      gauge.reset();
      for (const { name, entries } of states) if (entries !== null) gauge.set({ store: name }, entries);
    });
    this.#gauge(METRICS.storeUsable, async (gauge) => {
      for (const { name, isUsable } of await stores.look()) gauge.set({ store: name }, Number(isUsable));
    });
  }

  #watchRedis(redis: Pick<Redis, 'vitals'>): void {
    this.#gauge(METRICS.redisDegraded, (gauge) => gauge.set(Number(redis.vitals.trouble !== null)));
    const { name, help, labels } = METRICS.redisCalls;
    const calls: Counter<'reply'> = new Counter({
      name,
      help,
      labelNames: [...labels],
      registers: [this.#registry],
      collect: () => {
        calls.reset();
        for (const [reply, count] of Object.entries(redis.vitals.calls)) calls.inc({ reply }, count);
      },
    });
  }

  #watchAudit(audit: RecordKeeping): void {
    const { name, help, labels } = METRICS.auditLines;
    const lines = new Counter({
      name,
      help,
      labelNames: [...labels],
      registers: [this.#registry],
      collect: () => {
        lines.reset();
        lines.inc({ result: 'written' }, audit.written);
        lines.inc({ result: 'lost' }, audit.lost);
      },
    });
    this.#gauge(METRICS.auditFailing, (gauge) => gauge.set(Number(audit.isFailing)));
  }

  onFetch({ protocol, kind, source, code, reason, durationMs, bytes }: FetchRecord): void {
    this.#fetches.inc({ protocol, kind, source });
    this.#fetchDuration.observe({ protocol, source }, durationMs / 1000);
    if (code === undefined) this.#responseSize.observe({ protocol }, bytes);
    else this.#fetchErrors.inc({ protocol, code, reason: reason ?? '' });
  }

  onWait({ protocol, cause, durationMs }: FetchWait): void {
    this.#wait.observe({ protocol, cause }, durationMs / 1000);
  }

  onPipeline(protocol: string, load: () => PipelineLoad): void {
    this.#pipelines.set(protocol, load);
    this.#fetchErrors.inc({ protocol, code: 'FETCH_ERROR', reason: 'internal' }, 0);
  }

  /** Counts a call that was not let in. */
  onRefused({ code, facts: { reason } }: Failure): void {
    this.#callsRefused.inc({ code, reason: reason ?? '' });
  }

  /** Counts a tool call that ended. */
  onToolCall(tool: string, outcome: ToolCallOutcome, durationMs: number): void {
    this.#toolCalls.inc({ tool, outcome });
    this.#toolDuration.observe({ tool }, durationMs / 1000);
  }

  #counter<D extends MetricDefinition>({ name, help, labels }: D): Counter<LabelOf<D>> {
    return new Counter({ name, help, labelNames: [...labels], registers: [this.#registry] });
  }

  #histogram<D extends MetricDefinition & { readonly buckets: readonly number[] }>({
    name,
    help,
    labels,
    buckets,
  }: D): Histogram<LabelOf<D>> {
    return new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers: [this.#registry] });
  }

  /** @param collect sets the present values, at each scrape */
  #gauge<D extends MetricDefinition>(
    { name, help, labels }: D,
    collect: (gauge: Gauge<LabelOf<D>>) => void | Promise<void>,
  ): void {
    const gauge: Gauge<LabelOf<D>> = new Gauge({
      name,
      help,
      labelNames: [...labels],
      registers: [this.#registry],
      collect: () => collect(gauge),
    });
  }

  #pipelineGauge(
    definition: MetricDefinition & { readonly labels: readonly ['protocol'] },
    value: (load: PipelineLoad) => number,
  ): void {
    this.#gauge(definition, (gauge) => {
      for (const [protocol, load] of this.#pipelines) gauge.set({ protocol }, value(load()));
    });
  }
}
