import { beforeEach, describe, expect, test } from '@jest/globals';
import { failure } from '../../../src/common/error-codes.js';
import type { FetchRecord } from '../../../src/fetch/index.js';
import { METRICS, METRIC_LABELS, type MetricDefinition } from '../../../src/observability/metric-table.js';
import { PrometheusMetrics } from '../../../src/observability/prometheus-metrics.js';

const PAGE: FetchRecord = {
  protocol: 'gopher',
  request: { url: 'gopher://secret-host.example/0/a', host: 'secret-host.example', port: 70, selector: '/a' },
  kind: 'text',
  bytes: 2000,
  durationMs: 20,
  source: 'wire',
};

let metrics: PrometheusMetrics;
beforeEach(() => {
  metrics = new PrometheusMetrics({ version: '1.2.3', tools: [] });
});

/** The lines of our own metrics with their values. */
async function lines(): Promise<readonly string[]> {
  return (await metrics.render()).split('\n').filter((line) => line.startsWith('gopher_mcp_'));
}

/** Lines of one metric, without the buckets of a histogram. */
async function linesOf({ name }: MetricDefinition): Promise<readonly string[]> {
  return (await lines()).filter((line) => line.startsWith(name) && !line.includes('_bucket'));
}

const vitals = {
  inFlight: () => 3,
  sessionCount: () => 4,
  calls: { inFlight: 2, queued: 5 },
  isDraining: () => false,
  stores: {
    look: () =>
      Promise.resolve([
        { name: 'pins', entries: 12, isUsable: true, isShared: false },
        { name: 'identities', entries: null, isUsable: false, isShared: true },
      ]),
  },
  redis: { vitals: { trouble: null, calls: { ok: 6, skipped: 2, away: 1, late: 0, full: 0, refused: 0 } } },
  eventLoopDelayMs: () => 250,
  audit: { written: 5, lost: 2, isFailing: true },
};

describe('the table', () => {
  const definitions: readonly MetricDefinition[] = Object.values(METRICS);

  test.each(definitions)('$name is named as Prometheus wants it', ({ name, type, help, labels, buckets }) => {
    expect(name).toMatch(/^gopher_mcp_[a-z_]+$/);
    expect(name.endsWith('_total')).toBe(type === 'counter');
    if (type === 'histogram') expect(name).toMatch(/_(seconds|bytes)$/);
    expect(buckets === undefined).toBe(type !== 'histogram');
    expect([...(buckets ?? [])].sort((a, b) => a - b)).toEqual(buckets ?? []);
    expect(help).toMatch(/\.$/);
    for (const label of labels) expect(Object.keys(METRIC_LABELS)).toContain(label);
  });

  test('is what is exposed, name by name', async () => {
    metrics.watch(vitals);
    const text = await metrics.render();
    const exposed = [...text.matchAll(/^# TYPE (gopher_mcp_\w+) (\w+)$/gm)].map(([, name, type]) => `${name} ${type}`);
    expect(exposed.sort()).toEqual(definitions.map(({ name, type }) => `${name} ${type}`).sort());
  });
});

test('a call that is not let in is counted by why', async () => {
  metrics.onRefused(failure('QUOTA_EXCEEDED', 'no', { reason: 'tenant_quota' }));
  expect(await linesOf(METRICS.callsRefused)).toEqual([
    'gopher_mcp_calls_refused_total{code="QUOTA_EXCEEDED",reason="subject_quota"} 0',
    'gopher_mcp_calls_refused_total{code="QUOTA_EXCEEDED",reason="tenant_quota"} 1',
    'gopher_mcp_calls_refused_total{code="OVERLOADED",reason="queue_full"} 0',
    'gopher_mcp_calls_refused_total{code="OVERLOADED",reason="queue_wait"} 0',
  ]);
});

describe('a fetch', () => {
  test('is counted by kind and source, with its time and its size', async () => {
    metrics.onFetch(PAGE);
    metrics.onFetch({ ...PAGE, source: 'cache', durationMs: 1 });
    metrics.onFetch(PAGE);
    expect(await linesOf(METRICS.fetches)).toEqual([
      'gopher_mcp_fetches_total{protocol="gopher",kind="text",source="wire"} 2',
      'gopher_mcp_fetches_total{protocol="gopher",kind="text",source="cache"} 1',
    ]);
    expect(await linesOf(METRICS.fetchDuration)).toContain(
      'gopher_mcp_fetch_duration_seconds_sum{protocol="gopher",source="wire"} 0.04',
    );
    expect(await linesOf(METRICS.responseSize)).toEqual([
      'gopher_mcp_response_size_bytes_sum{protocol="gopher"} 6000',
      'gopher_mcp_response_size_bytes_count{protocol="gopher"} 3',
    ]);
    expect(await linesOf(METRICS.fetchErrors)).toEqual([]);
  });

  test('that fails is counted by code and reason, and has no size', async () => {
    metrics.onFetch({ ...PAGE, kind: 'error', bytes: 0, code: 'FETCH_ERROR', reason: 'timeout' });
    metrics.onFetch({ ...PAGE, kind: 'error', bytes: 0, code: 'DNS_ERROR' });
    expect(await linesOf(METRICS.fetchErrors)).toEqual([
      'gopher_mcp_fetch_errors_total{protocol="gopher",code="FETCH_ERROR",reason="timeout"} 1',
      'gopher_mcp_fetch_errors_total{protocol="gopher",code="DNS_ERROR",reason=""} 1',
    ]);
    expect(await linesOf(METRICS.responseSize)).toEqual([]);
  });

  test('leaves nothing of what it was about: a thousand hosts make no line more than one', async () => {
    metrics.onFetch(PAGE);
    const before = (await lines()).length;
    for (let index = 0; index < 1000; index++) {
      const host = `host-${index}.example`;
      metrics.onFetch({ ...PAGE, request: { url: `gopher://${host}/0/${index}`, host, port: 1000 + index } });
    }
    const after = await lines();
    expect(after).toHaveLength(before);
    expect(after.join('\n')).not.toMatch(/host|example/);
  });
});

test('waits are counted by what was waited for', async () => {
  metrics.onWait({ protocol: 'gemini', cause: 'pacing', durationMs: 1500 });
  metrics.onWait({ protocol: 'gemini', cause: 'slot', durationMs: 0 });
  expect(await linesOf(METRICS.wait)).toEqual([
    'gopher_mcp_wait_seconds_sum{protocol="gemini",cause="pacing"} 1.5',
    'gopher_mcp_wait_seconds_count{protocol="gemini",cause="pacing"} 1',
    'gopher_mcp_wait_seconds_sum{protocol="gemini",cause="slot"} 0',
    'gopher_mcp_wait_seconds_count{protocol="gemini",cause="slot"} 1',
  ]);
});

test('tools and internal faults are there before anything happened, so that the first one is an increase', async () => {
  metrics = new PrometheusMetrics({ version: '1', tools: ['gopher_fetch'] });
  metrics.onPipeline('gopher', () => ({ pacing: 0, slotsTaken: 0, slotsWaiting: 0, slots: 0 }));
  expect(await linesOf(METRICS.toolCalls)).toEqual(
    ['ok', 'error', 'question', 'fault'].map(
      (outcome) => `gopher_mcp_tool_calls_total{tool="gopher_fetch",outcome="${outcome}"} 0`,
    ),
  );
  expect(await linesOf(METRICS.fetchErrors)).toEqual([
    'gopher_mcp_fetch_errors_total{protocol="gopher",code="FETCH_ERROR",reason="internal"} 0',
  ]);
});

test('a tool call is counted by its outcome', async () => {
  metrics.onToolCall('gopher_fetch', 'ok', 250);
  metrics.onToolCall('gopher_fetch', 'fault', 250);
  expect(await linesOf(METRICS.toolCalls)).toEqual([
    'gopher_mcp_tool_calls_total{tool="gopher_fetch",outcome="ok"} 1',
    'gopher_mcp_tool_calls_total{tool="gopher_fetch",outcome="fault"} 1',
  ]);
  expect(await linesOf(METRICS.toolDuration)).toContain(
    'gopher_mcp_tool_call_duration_seconds_sum{tool="gopher_fetch"} 0.5',
  );
});

describe('gauges', () => {
  test('are read at each scrape', async () => {
    let slotsTaken = 1;
    metrics.onPipeline('gopher', () => ({ pacing: 2, slotsTaken, slotsWaiting: 3, slots: 5 }));
    const read = async (): Promise<readonly string[]> =>
      (await lines()).filter((line) => line.includes('{protocol="gopher"}'));
    expect(await read()).toEqual([
      'gopher_mcp_pacing_queue{protocol="gopher"} 2',
      'gopher_mcp_slots_taken{protocol="gopher"} 1',
      'gopher_mcp_slot_queue{protocol="gopher"} 3',
      'gopher_mcp_slots{protocol="gopher"} 5',
    ]);
    slotsTaken = 4;
    expect(await read()).toContain('gopher_mcp_slots_taken{protocol="gopher"} 4');
  });

  test('tell of the server, and of a store that cannot be read no entries', async () => {
    metrics.watch(vitals);
    expect((await lines()).filter((line) => !line.includes('_refused_'))).toEqual([
      'gopher_mcp_info{version="1.2.3"} 1',
      'gopher_mcp_redis_degraded 0',
      'gopher_mcp_redis_calls_total{reply="ok"} 6',
      'gopher_mcp_redis_calls_total{reply="skipped"} 2',
      'gopher_mcp_redis_calls_total{reply="away"} 1',
      'gopher_mcp_redis_calls_total{reply="late"} 0',
      'gopher_mcp_redis_calls_total{reply="full"} 0',
      'gopher_mcp_redis_calls_total{reply="refused"} 0',
      'gopher_mcp_requests_in_flight 3',
      'gopher_mcp_calls_in_flight 2',
      'gopher_mcp_calls_queued 5',
      'gopher_mcp_sessions 4',
      'gopher_mcp_draining 0',
      'gopher_mcp_event_loop_delay_seconds 0.25',
      'gopher_mcp_audit_lines_total{result="written"} 5',
      'gopher_mcp_audit_lines_total{result="lost"} 2',
      'gopher_mcp_audit_failing 1',
      'gopher_mcp_store_entries{store="pins"} 12',
      'gopher_mcp_store_usable{store="pins"} 1',
      'gopher_mcp_store_usable{store="identities"} 0',
    ]);
  });

  test('of the process have the usual names', async () => {
    const text = await metrics.render();
    for (const name of [
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_p99_seconds',
      'nodejs_heap_size_used_bytes',
    ])
      expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'));
  });

  test('are read once for scrapes at the same time', async () => {
    let reads = 0;
    metrics.onPipeline('gopher', () => ({ pacing: ++reads, slotsTaken: 0, slotsWaiting: 0, slots: 0 }));
    await metrics.render();
    const once = reads;
    reads = 0;
    await Promise.all([metrics.render(), metrics.render(), metrics.render()]);
    expect(reads).toBe(once);
  });
});
