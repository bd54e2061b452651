/**
 * Every metric of this server, as data: the page of the documentation is made from it, and so are the metrics. Labels have few values,
 * all of them ours: no host, no path, no client ever becomes one, or a caller could fill the memory of this process and of Prometheus.
 */

/** A metric as Prometheus knows it. */
export interface MetricDefinition {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly MetricLabel[];
  /** Upper bounds of a histogram, in the unit that the name ends with. */
  readonly buckets?: readonly number[];
}

/** What labels mean, and the values they take. */
export const METRIC_LABELS = {
  protocol: 'the protocol: `gopher`, `gemini`',
  kind: 'kind of the result: `menu`, `text`, `gemtext`, `binary`, `error`, ...',
  source:
    'where the answer came from: `wire` (a download, or the attempt), `cache` (a stored page), `held` (another part of a stored document), `none` (refused by policy)',
  code: '[error code](errors.md)',
  reason: '[reason](errors.md) of the error, empty where the code says all',
  cause:
    'what was waited for: `pacing` (the next start at the same host), `slot` (one of the requests that run at once)',
  tool: 'name of the tool',
  outcome:
    '`ok`, `error` (the result says so, or an argument was refused; calls that lack a required one are not counted), `question` (a person is asked first), `fault` (a mistake of this server)',
  store: '`pins`, `identities`',
  reply:
    '`ok`, `late` (no reply within 40 ms), `away` (no connection, or not the node that takes changes), `full` (no memory for a change), `refused`, `skipped` (not asked, as it is in trouble)',
  result: '`written`, or `lost` because they could not be written for too long',
  version: 'version of this server',
} as const;

/** A label. */
export type MetricLabel = keyof typeof METRIC_LABELS;

/** From a stored page to a fetch that waited for its turn and then for a slow server. */
const SECONDS = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
const BYTES = [256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304];

/** See the file's header. */
export const METRICS = {
  info: {
    name: 'gopher_mcp_info',
    type: 'gauge',
    help: 'Always 1; its label says what runs.',
    labels: ['version'],
  },
  fetches: {
    name: 'gopher_mcp_fetches_total',
    type: 'counter',
    help: 'Fetches that ended, those of batches one by one.',
    labels: ['protocol', 'kind', 'source'],
  },
  fetchErrors: {
    name: 'gopher_mcp_fetch_errors_total',
    type: 'counter',
    help: 'Fetches that ended in an error.',
    labels: ['protocol', 'code', 'reason'],
  },
  fetchDuration: {
    name: 'gopher_mcp_fetch_duration_seconds',
    type: 'histogram',
    help: 'Time of a fetch, waits included.',
    labels: ['protocol', 'source'],
    buckets: SECONDS,
  },
  responseSize: {
    name: 'gopher_mcp_response_size_bytes',
    type: 'histogram',
    help: 'Size of the rendered answer of a fetch that did not end in an error.',
    labels: ['protocol'],
    buckets: BYTES,
  },
  wait: {
    name: 'gopher_mcp_wait_seconds',
    type: 'histogram',
    help: 'Time that a download waited before it could start, granted or not.',
    labels: ['protocol', 'cause'],
    buckets: SECONDS,
  },
  pacing: {
    name: 'gopher_mcp_pacing_queue',
    type: 'gauge',
    help: 'Requests that stand in line at a host.',
    labels: ['protocol'],
  },
  slotsTaken: {
    name: 'gopher_mcp_slots_taken',
    type: 'gauge',
    help: 'Requests that run.',
    labels: ['protocol'],
  },
  slotQueue: {
    name: 'gopher_mcp_slot_queue',
    type: 'gauge',
    help: 'Requests that wait for a slot.',
    labels: ['protocol'],
  },
  slots: {
    name: 'gopher_mcp_slots',
    type: 'gauge',
    help: 'Requests that may run at once; 0 = no limit.',
    labels: ['protocol'],
  },
  toolCalls: {
    name: 'gopher_mcp_tool_calls_total',
    type: 'counter',
    help: 'Tool calls that ended.',
    labels: ['tool', 'outcome'],
  },
  toolDuration: {
    name: 'gopher_mcp_tool_call_duration_seconds',
    type: 'histogram',
    help: 'Time of a tool call, without the time that a person took to answer.',
    labels: ['tool'],
    buckets: SECONDS,
  },
  inFlight: {
    name: 'gopher_mcp_requests_in_flight',
    type: 'gauge',
    help: 'MCP requests that are not answered yet.',
    labels: [],
  },
  callsInFlight: {
    name: 'gopher_mcp_calls_in_flight',
    type: 'gauge',
    help: 'Tool calls and reads of pages that run; see GOPHER_MCP_MAX_IN_FLIGHT.',
    labels: [],
  },
  callsQueued: {
    name: 'gopher_mcp_calls_queued',
    type: 'gauge',
    help: 'Calls that wait until one of those has ended; see GOPHER_MCP_MAX_QUEUED.',
    labels: [],
  },
  callsRefused: {
    name: 'gopher_mcp_calls_refused_total',
    type: 'counter',
    help: 'Calls that were not let in: over a quota (QUOTA_EXCEEDED), or for want of room (OVERLOADED).',
    labels: ['code', 'reason'],
  },
  sessions: {
    name: 'gopher_mcp_sessions',
    type: 'gauge',
    help: 'Sessions; lapsed ones count until somebody asks for them or room is needed.',
    labels: [],
  },
  storeEntries: {
    name: 'gopher_mcp_store_entries',
    type: 'gauge',
    help: 'Entries of a store; missing while it cannot be read.',
    labels: ['store'],
  },
  storeUsable: {
    name: 'gopher_mcp_store_usable',
    type: 'gauge',
    help: 'Whether a store can be read and written: 1, else 0.',
    labels: ['store'],
  },
  redisDegraded: {
    name: 'gopher_mcp_redis_degraded',
    type: 'gauge',
    help: 'Whether Redis does not answer as it should: 1, else 0. Missing where none is configured.',
    labels: [],
  },
  redisCalls: {
    name: 'gopher_mcp_redis_calls_total',
    type: 'counter',
    help: 'Quick calls of Redis (pages, pacing, robots policies, quotas). Missing where none is configured.',
    labels: ['reply'],
  },
  draining: {
    name: 'gopher_mcp_draining',
    type: 'gauge',
    help: 'Whether this server was told to stop: 1, else 0.',
    labels: [],
  },
  eventLoopDelay: {
    name: 'gopher_mcp_event_loop_delay_seconds',
    type: 'gauge',
    help: 'How late timers fire, on average over the last five seconds; what `/health/ready` looks at.',
    labels: [],
  },
  auditLines: {
    name: 'gopher_mcp_audit_lines_total',
    type: 'counter',
    help: 'Lines of the audit; missing without one.',
    labels: ['result'],
  },
  auditFailing: {
    name: 'gopher_mcp_audit_failing',
    type: 'gauge',
    help: 'Whether audit lines cannot be written at present: 1, else 0; missing without an audit.',
    labels: [],
  },
} as const satisfies Record<string, MetricDefinition>;
