/** What is recorded of calls, as far as somebody asked for it; only then its code is loaded. */
import { SystemClock } from '../clock/system-clock.js';
import { asOneObserver, type CallObserver, type RecordKeeping } from '../common/call-observer.port.js';
import { ok, type Result } from '../common/result.js';
import type { Config, ConfigProblem, Environment } from '../config/index.js';
import type { FetchObserver } from '../fetch/index.js';
import type { Log } from '../logging/index.js';

/** Longest time for handing on the last spans, in milliseconds: a collector that is gone must not hold up the end. */
const FLUSH_WITHIN_MS = 2000;

/** What a server is built with so that its calls are recorded. */
export interface Recording {
  readonly calls: CallObserver | undefined;
  readonly observers: readonly FetchObserver[];
  readonly audit: RecordKeeping | undefined;
  /** Writes and hands on what is not yet. */
  readonly close: () => Promise<void>;
}

/** What a recording depends on. */
export interface RecordingOptions {
  readonly version: string;
  readonly log: Log;
  readonly env: Environment;
  /** `globalThis`, where an SDK of OpenTelemetry makes itself known. */
  readonly globals: object;
}

/** Opens what the settings name. Fails when the audit cannot be written: a server that must be audited does not run without. */
export async function startRecording(
  { audit: settings, gateway }: Config,
  { version, log, env, globals }: RecordingOptions,
): Promise<Result<Recording, ConfigProblem>> {
  const clock = new SystemClock();
  const isTraced = hasTracer(globals);
  if (!isTraced && asksForTraces(env)) {
    const remedy = 'Load an SDK before the server, e.g. NODE_OPTIONS="--import ./tracing.mjs"; see docs/operations.md.';
    log.warning('no traces without an OpenTelemetry SDK', { remedy });
  }
  const tracing = isTraced
    ? new (await import('../observability/call-tracing.js')).CallTracing({
        version,
        isHttp: gateway.transport !== 'stdio',
        clock,
      })
    : null;
  const opened =
    settings.auditFile === null
      ? ok(null)
      : await (await import('./open-audit.js')).openAudit(settings.auditFile, settings, { clock, log, version });
  if (!opened.ok) return opened;
  const audit = opened.value;
  return ok({
    // The audit is told the trace that the span of the call belongs to.
    calls: asOneObserver([tracing, audit].filter((observer) => observer !== null)),
    observers: tracing === null ? [] : [tracing],
    audit: audit ?? undefined,
    close: async () => {
      await audit?.close();
      const isFlushed = (await tracing?.flush(FLUSH_WITHIN_MS)) ?? true;
      if (!isFlushed) log.warning('last spans not exported');
    },
  });
}

/** The API of OpenTelemetry keeps what an SDK registers under this name, in whatever copy of it the SDK has. */
const API = Symbol.for('opentelemetry.js.api.1');

function hasTracer(globals: object): boolean {
  const registered: unknown = Reflect.get(globals, API);
  return typeof registered === 'object' && registered !== null && 'trace' in registered;
}

function asksForTraces(env: Environment): boolean {
  if (env['OTEL_SDK_DISABLED'] === 'true' || env['OTEL_TRACES_EXPORTER'] === 'none') return false;
  return TRACE_VARIABLES.some((name) => (env[name] ?? '') !== '');
}

const TRACE_VARIABLES = ['OTEL_TRACES_EXPORTER', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];
