/** docs/metrics.md: every metric, from src/observability/metric-table.ts. */
export const target = 'docs/metrics.md';

export async function render(load) {
  const { METRICS, METRIC_LABELS } = await load('src/observability/metric-table.ts');
  return `<!-- Generated from src/observability/metric-table.ts by "npm run docs". -->

# Metrics

Served in the text format of Prometheus at \`/metrics\` on the port that [\`GOPHER_MCP_METRICS_PORT\`](configuration.md) names. How to
scrape, draw and watch them: [operations](operations.md#metrics).

| metric | type | labels | meaning |
| --- | --- | --- | --- |
${Object.values(METRICS).map(metricRow).join('\n')}

A counter appears with its first event, but those of tool calls and of internal faults, which begin at 0. Beside these there are the usual metrics of the process and of Node.js: \`process_*\`, and
\`nodejs_*\` with the delay of the event loop, memory and garbage collection.

## Labels

| label | values |
| --- | --- |
${Object.entries(METRIC_LABELS)
  .map(([label, meaning]) => `| \`${label}\` | ${cell(meaning)} |`)
  .join('\n')}

No label holds a host, a path or a client: what callers ask for does not make new series.
`;
}

function metricRow({ name, type, labels, help, buckets }) {
  const bounds = buckets ? ` Buckets up to ${buckets.join(', ')}.` : '';
  return `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${cell(help)}${bounds} |`;
}

function cell(text) {
  return text.replaceAll('|', '\\|');
}
