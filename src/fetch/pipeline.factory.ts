/** Builds the pipeline of one protocol from its settings: the one place that says which guards stand around a fetch. */
import type { Clock } from '../common/clock.port.js';
import { parseCidr } from '../common/net/ip.js';
import type { PageCache, SharedEntries } from '../cache/index.js';
import {
  AddressGuard,
  AI_AGENTS,
  ConcurrencySlots,
  HostPacer,
  HostPolicy,
  MemoryPacingStore,
  MemoryRobotsStore,
  RobotsGate,
  type DnsResolver,
  type SharedPoliteness,
} from '../safety/index.js';
import type { FetchObserver } from './fetch-observer.port.js';
import { FetchPipeline } from './pipeline.js';
import type { FetchRequest, HeldDocument, ProtocolAdapter } from './protocol.port.js';

/** Settings that every protocol has, named as in its configuration section. */
export interface ProtocolSettings {
  readonly timeoutSeconds: number;
  readonly maxWaitSeconds: number;
  readonly cacheEnabled: boolean;
  readonly cacheTtlSeconds: number;
  readonly allowedHosts: readonly string[] | null;
  readonly allowLocalHosts: boolean;
  readonly allowedNetworks: readonly string[] | null;
  readonly deniedNetworks: readonly string[] | null;
  readonly allowedPorts: readonly number[] | null;
  readonly maxRenderedChars: number;
  readonly maxConcurrentRequests: number;
  readonly requestsPerMinute: number;
  readonly respectRobotsTxt: boolean;
  readonly robotsCacheTtlSeconds: number;
  readonly robotsHonorAiTokens: boolean;
  readonly robotsFailureBackoffSeconds: number;
}

/** What a protocol adds to the settings. */
export interface ProtocolTraits {
  /** Start of its variable names, e.g. `GOPHER_`. */
  readonly variablePrefix: string;
  /** Names it answers to in robots.txt, lowercase. */
  readonly robotsAgents: readonly string[];
  /** What happens when robots.txt cannot be read. */
  readonly onRobotsFailure: 'allow' | 'refuse';
  /** Items of a list in one window; 0 = no bound. */
  readonly maxItems: number;
}

/** What all pipelines share. */
export interface PipelineServices {
  readonly clock: Clock;
  readonly resolver: DnsResolver;
  readonly pages: PageCache;
  /** What replicas know together of resources; null or left out where this process stands alone. */
  readonly shared?: SharedEntries | null;
  /** Stores of pacing and robots policies of all replicas together; as above. */
  readonly politeness?: SharedPoliteness | null;
  readonly observer: FetchObserver;
  /** Bytes of the bodies held for later windows. */
  readonly heldBodiesMaxBytes: number;
  /** As in {@link PipelineOptions}. */
  readonly sharedCache?: boolean;
  /** Bytes of one result's compact JSON; 0 = no bound. */
  readonly maxResultBytes: number;
}

/** See the file's header. */
export function createPipeline<R extends FetchRequest, D extends HeldDocument>(
  adapter: ProtocolAdapter<R, D>,
  settings: ProtocolSettings,
  { variablePrefix, robotsAgents, onRobotsFailure, maxItems }: ProtocolTraits,
  {
    clock,
    resolver,
    pages,
    shared,
    politeness,
    observer,
    heldBodiesMaxBytes,
    sharedCache,
    maxResultBytes,
  }: PipelineServices,
): FetchPipeline<R, D> {
  const timeoutMs = settings.timeoutSeconds * 1000;
  const maxWaitMs = settings.maxWaitSeconds * 1000;
  const agents = { own: robotsAgents, additional: settings.robotsHonorAiTokens ? AI_AGENTS : [] };
  const robots = new RobotsGate(
    {
      ttlMs: settings.robotsCacheTtlSeconds * 1000,
      failureBackoffMs: settings.robotsFailureBackoffSeconds * 1000,
      agents,
      onFailure: onRobotsFailure,
      variablePrefix,
    },
    politeness?.robots(adapter.name, agents) ?? new MemoryRobotsStore(clock),
    clock,
  );
  return new FetchPipeline(
    adapter,
    {
      hostPolicy: new HostPolicy({ allowedHosts: settings.allowedHosts, variablePrefix }),
      robots: settings.respectRobotsTxt ? robots : null,
      pacer: new HostPacer(
        { requestsPerMinute: settings.requestsPerMinute, maxWaitMs, hostWaitLimitMs: timeoutMs, variablePrefix },
        politeness?.pacing(adapter.name) ?? new MemoryPacingStore(clock),
        clock,
      ),
      slots: new ConcurrencySlots({ maxConcurrent: settings.maxConcurrentRequests, variablePrefix }, clock),
      guard: new AddressGuard(
        {
          allowLocalHosts: settings.allowLocalHosts,
          allowedNetworks: networks(settings.allowedNetworks),
          deniedNetworks: networks(settings.deniedNetworks),
          allowedPorts: settings.allowedPorts === null ? null : new Set(settings.allowedPorts),
          variablePrefix,
        },
        resolver,
      ),
      pages,
      shared: shared ?? null,
      observer,
      clock,
    },
    {
      timeoutMs,
      maxWaitMs,
      cacheEnabled: settings.cacheEnabled,
      cacheTtlMs: settings.cacheTtlSeconds * 1000,
      heldBodiesMaxBytes,
      sharedCache: sharedCache ?? false,
      maxItems,
      maxChars: settings.maxRenderedChars,
      maxBytes: maxResultBytes,
    },
  );
}

/** The configuration checked the notation already. */
function networks(list: readonly string[] | null): NonNullable<ReturnType<typeof parseCidr>>[] {
  return (list ?? []).map(parseCidr).filter((cidr) => cidr !== null);
}
