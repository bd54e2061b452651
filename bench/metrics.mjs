/** What metrics add to each call: the records of a fetch and of its tool call, and what a scrape costs. */
const CALLS = 100_000;
const RECORD = {
  protocol: 'gopher',
  request: { url: 'gopher://example.org/0/a', host: 'example.org', port: 70 },
  kind: 'text',
  bytes: 2000,
  durationMs: 20,
  source: 'cache',
};

export async function run(bench) {
  const { PrometheusMetrics } = await bench.load('src/observability/prometheus-metrics.ts');
  const metrics = new PrometheusMetrics({ version: '0', tools: ['gopher_fetch'] });
  perCall(bench, 'a fetch', () => metrics.onFetch(RECORD));
  perCall(bench, 'a tool call', () => metrics.onToolCall('gopher_fetch', 'ok', 20));
  perCall(bench, 'a wait', () => metrics.onWait({ protocol: 'gopher', cause: 'pacing', durationMs: 20 }));

  const startedMs = performance.now();
  const text = await metrics.render();
  bench.row('a scrape', `${(performance.now() - startedMs).toFixed(1)} ms, ${text.length} bytes`);
}

/** Microseconds of one of many calls; the best of a few rounds, since others only ever add. */
function perCall(bench, label, work) {
  let best = Infinity;
  for (let round = 0; round < 7; round++) {
    const startedMs = performance.now();
    for (let call = 0; call < CALLS; call++) work();
    best = Math.min(best, performance.now() - startedMs);
  }
  bench.row(label, `${((best / CALLS) * 1000).toFixed(2)} us`);
}
