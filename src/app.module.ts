import { Module, type DynamicModule } from '@nestjs/common';
import { ClockModule } from './clock/clock.module.js';
import type { CallObserver, RecordKeeping } from './common/call-observer.port.js';
import type { Failure } from './common/error-codes.js';
import { ok } from './common/result.js';
import { isLimited, type Config } from './config/index.js';
import { ConfigModule } from './config/config.module.js';
import type { FetchObserver } from './fetch/index.js';
import { FileStoreModule, type Machine } from './file-store/file-store.module.js';
import type { Log } from './logging/index.js';
import { LoggingModule } from './logging/logging.module.js';
import { McpModule } from './mcp/mcp.module.js';
import { loadTools, type PageTemplate, type Tool } from './mcp/index.js';
import { ObservabilityModule } from './observability/observability.module.js';
import { StateModule } from './state/state.module.js';

/** What both roots are made from. */
export interface AppOptions {
  readonly version: string;
  /** Validated already; the graph only hands it out. */
  readonly config: Config;
  readonly log: Log;
  /** What the places of the stores depend on. */
  readonly machine: Machine;
  /** The tools that are served. */
  readonly tools: readonly Tool[];
  /** The resource templates that are served; their pages are those of the served tools. */
  readonly templates: readonly PageTemplate[];
  /** Who besides the log is told of fetches. */
  readonly observers?: readonly FetchObserver[];
  /** Who is told of tool calls and resource reads. */
  readonly calls?: CallObserver | undefined;
  /** Is told of every call that was not let in. */
  readonly onRefused?: ((failure: Failure) => void) | undefined;
  /** The audit, where there is one. */
  readonly audit?: RecordKeeping | undefined;
}

/** The graph that every transport stands on: configuration, log, clock, and the tools with their domains. */
@Module({})
export class AppModule {
  static async register({
    version,
    config,
    log,
    machine,
    tools,
    observers = [],
    onRefused,
  }: AppOptions): Promise<DynamicModule> {
    const admission = isLimited(config.limits, config.gateway.transport !== 'stdio')
      ? [await admissionOf(onRefused)]
      : [];
    const mcp = McpModule.register({ version, tools: await loadTools(tools) });
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(() => ok(config)),
        LoggingModule.forRoot(log),
        ClockModule,
        StateModule,
        FileStoreModule.forRoot(machine),
        ObservabilityModule.forRoot(observers),
        ...admission,
        mcp,
      ],
      exports: [mcp],
    };
  }
}

/** Loaded where calls are limited: a start over stdio does without. */
async function admissionOf(onRefused: AppOptions['onRefused']): Promise<DynamicModule> {
  const { AdmissionModule } = await import('./auth/admission.module.js');
  return AdmissionModule.register(onRefused ?? (() => undefined));
}
