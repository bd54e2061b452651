/** A real Prometheus with config/prometheus.yml scrapes the built server: its alerts load, and the dashboard has something to show. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { ask, callTool } from '../support/json-rpc-post.js';
import { freePort, Program, replaceOnce } from '../support/program.js';
import { RedisServer } from '../support/redis-server.js';
import {
  makeScratchFolder,
  removeScratchFolder,
  REPOSITORY,
  serverCommand,
  serverEnvironment,
} from '../support/server-under-test.js';
import { LOCAL_GOPHER, SmallGopher } from '../support/small-gopher.js';

jest.setTimeout(120_000);

const CONFIG = path.join(REPOSITORY, 'config');
const INSTALL = 'test/operations/install.sh';

interface Sample {
  readonly metric: Record<string, string>;
  readonly value: readonly [number, string];
}

let folder: string;
let gopher: SmallGopher;
let redis: RedisServer;
let server: Program;
let prometheus: Program;
let prometheusUrl: string;
let metricsUrl: string;

async function api(question: string): Promise<{ status: string; data: never; error?: string }> {
  const { body } = await ask(`${prometheusUrl}/api/v1/${question}`);
  return JSON.parse(body);
}

async function query(expression: string): Promise<readonly Sample[]> {
  const { status, data, error } = await api(`query?query=${encodeURIComponent(expression)}`);
  if (status !== 'success') throw new Error(`${expression}: ${error}`);
  return (data as { result: Sample[] }).result;
}

beforeAll(async () => {
  folder = await makeScratchFolder();
  gopher = await SmallGopher.start((selector) => (selector === '/none' ? '' : 'hello\r\n'));
  const [port, metricsPort, prometheusPort] = [await freePort(), await freePort(), await freePort()];
  metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
  prometheusUrl = `http://127.0.0.1:${prometheusPort}`;

  const { program, args } = serverCommand();
  redis = await RedisServer.start();
  // Everything that has metrics of its own is on.
  const settings = {
    ...LOCAL_GOPHER,
    GOPHER_MCP_METRICS_PORT: String(metricsPort),
    GOPHER_MCP_AUDIT_FILE: path.join(folder, 'audit.jsonl'),
    GOPHER_MCP_REDIS_URL: redis.url,
    GOPHER_MCP_STATE_KEY: 'ab'.repeat(32),
  };
  server = await Program.start(program, [...args, '--transport', 'streamable-http', '--port', String(port)], {
    env: serverEnvironment(folder, settings),
    cwd: folder,
  });
  await server.until(() =>
    ask(metricsUrl).then(
      ({ status }) => status === 200,
      () => false,
    ),
  );

  let text = readFileSync(path.join(CONFIG, 'prometheus.yml'), 'utf8');
  text = replaceOnce(text, 'gopher-mcp-1.internal:9464', `127.0.0.1:${metricsPort}`);
  text = replaceOnce(text, '          - gopher-mcp-2.internal:9464\n', '');
  text = text.replaceAll('interval: 15s', 'interval: 1s');
  const file = path.join(folder, 'prometheus.yml');
  await writeFile(file, text);
  await cp(path.join(CONFIG, 'prometheus-rules.yml'), path.join(folder, 'prometheus-rules.yml'));
  prometheus = await Program.start(
    'prometheus',
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${path.join(folder, 'tsdb')}`,
      `--web.listen-address=127.0.0.1:${prometheusPort}`,
    ],
    { cwd: folder },
    INSTALL,
  );
  await prometheus.until(() =>
    ask(`${prometheusUrl}/-/ready`).then(
      ({ status }) => status === 200,
      () => false,
    ),
  );

  // Twice between scrapes, so that rates are there: each round is a page, a stored page, and two kinds of failure.
  const origin = `http://127.0.0.1:${port}`;
  for (let round = 0; round < 2; round++) {
    const before = await scrapes();
    for (const url of [
      gopher.url(`0/${round}`),
      gopher.url(`0/${round}`),
      'gopher://127.0.0.1:22/',
      'gopher://nohost.invalid/',
    ])
      await callTool(origin, 'gopher_fetch', { url });
    await prometheus.until(async () => (await scrapes()) >= before + 2);
  }
});

afterAll(async () => {
  await prometheus.stop();
  await server.stop();
  await redis.close();
  await gopher.close();
  await removeScratchFolder(folder);
});

/** How often the server has been scraped. */
async function scrapes(): Promise<number> {
  const [sample] = await query('count_over_time(up{job="gopher-mcp"}[10m])');
  return Number(sample?.value[1] ?? 0);
}

test('the server is up as Prometheus sees it', async () => {
  expect((await query('up{job="gopher-mcp"}')).map(({ value }) => value[1])).toEqual(['1']);
});

test('what was called is what is counted', async () => {
  const counted = await query('sum by (source) (gopher_mcp_fetches_total{protocol="gopher",kind="text"})');
  expect(Object.fromEntries(counted.map(({ metric, value }) => [metric['source'], value[1]]))).toEqual({
    wire: '2',
    cache: '2',
  });
  const [errors] = await query('sum(gopher_mcp_fetch_errors_total)');
  expect(errors?.value[1]).toBe('4');
});

test('the alerts of config/prometheus-rules.yml are loaded and can be evaluated; none fires', async () => {
  const rules = async () => {
    const { data } = await api('rules');
    return (
      data as { groups: { rules: { name: string; health: string; state: string; lastError?: string }[] }[] }
    ).groups.flatMap((group) => group.rules);
  };
  await prometheus.until(async () => (await rules()).every(({ health }) => health !== 'unknown'));
  const loaded = await rules();
  expect(loaded.filter(({ health, state }) => health !== 'ok' || state === 'firing')).toEqual([]);
  expect(loaded.length).toBeGreaterThan(5);
});

describe('the dashboard', () => {
  const dashboard = JSON.parse(readFileSync(path.join(CONFIG, 'grafana-dashboard.json'), 'utf8'));
  const panels: { title: string; targets?: { expr: string }[] }[] = dashboard.panels;
  const drawn = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const));

  test.each(drawn)('%s: %s', async (_, expression) => {
    const filled = expression.replaceAll('$instance', '.*').replaceAll('$__rate_interval', '1m');
    expect(await query(filled)).not.toEqual([]);
  });
});

test('promtool finds nothing wrong with the metrics of this server', async () => {
  const { body } = await ask(metricsUrl);
  const own = body.split('\n').filter((line) => /^(# (HELP|TYPE) )?gopher_mcp_/.test(line));
  const checking = promisify(execFile)('promtool', ['check', 'metrics']);
  checking.child.stdin?.end(`${own.join('\n')}\n`);
  expect(await checking).toMatchObject({ stdout: '', stderr: '' });
});
