/** The examples for those who host this server: they agree with the server, with each other, and with the rules that they name. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { NOTICE_MS } from '../../src/bin/drain.js';
import { STOP_WITHIN_MS } from '../../src/bin/stop.js';
import { loadConfig, type Config } from '../../src/config/index.js';
import { knownVariables } from '../../src/config/sections.js';
import { PROBE_EVERY_MS } from '../../src/file-store/io/write-probe.js';
import { LATE_FROM_MS } from '../../src/health/event-loop.indicator.js';
import { METRICS } from '../../src/observability/metric-table.js';
import { REPOSITORY } from '../support/server-under-test.js';

const CONFIG = path.join(REPOSITORY, 'config');
const read = (name: string): string => readFileSync(path.join(CONFIG, name), 'utf8');

function settings(variables: Record<string, string>): Config {
  const loaded = loadConfig(variables);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  return loaded.value;
}

describe('the Kubernetes manifests', () => {
  const manifest = (name: string) => parse(read(`kubernetes/${name}`));
  const deployment = manifest('deployment.yaml');
  const pod = deployment.spec.template.spec;
  const [container] = pod.containers;
  const variables: Record<string, string> = manifest('settings.yaml').data;
  const { gateway, notices } = settings(variables);
  const labels = deployment.spec.template.metadata.labels;

  test('are all in the kustomization', () => {
    const files = readdirSync(path.join(CONFIG, 'kubernetes')).filter((name) => name !== 'kustomization.yaml');
    expect(manifest('kustomization.yaml').resources.sort()).toEqual(files.sort());
  });

  test('have settings without a remark but that nobody is asked who they are', () => {
    expect(notices.map(({ event }) => event)).toEqual(['other machines can reach this server without authentication']);
  });

  // https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted
  test('fit the restricted profile, which the namespace enforces', () => {
    expect(manifest('namespace.yaml').metadata.labels['pod-security.kubernetes.io/enforce']).toBe('restricted');
    for (const name of ['hostNetwork', 'hostPID', 'hostIPC', 'initContainers', 'ephemeralContainers'])
      expect(pod).not.toHaveProperty(name);
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(pod.securityContext.runAsUser).toBeGreaterThan(0);
    expect(pod.containers).toHaveLength(1);
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(container.ports.some((port: object) => 'hostPort' in port)).toBe(false);
    const allowed = [
      'configMap',
      'csi',
      'downwardAPI',
      'emptyDir',
      'ephemeral',
      'persistentVolumeClaim',
      'projected',
      'secret',
    ];
    for (const { name: _name, ...source } of pod.volumes) expect(allowed).toContain(Object.keys(source)[0]);
  });

  test('give no pod a way to the API server', () => {
    expect([pod.automountServiceAccountToken, manifest('service-account.yaml').automountServiceAccountToken]).toEqual([
      false,
      false,
    ]);
  });

  test('name the ports that the settings open', () => {
    const ports = Object.fromEntries(container.ports.map((port: Record<string, unknown>) => [port['name'], port]));
    expect(ports).toMatchObject({
      mcp: { containerPort: gateway.port },
      metrics: { containerPort: gateway.metricsPort },
    });
    expect(deployment.spec.template.metadata.annotations['prometheus.io/port']).toBe(String(gateway.metricsPort));
    expect(manifest('service.yaml').spec.ports).toEqual([{ name: 'mcp', port: gateway.port, targetPort: 'mcp' }]);
  });

  test('probe what is served, over the port of the calls', () => {
    const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe];
    expect(probes.map(({ httpGet }) => httpGet)).toEqual(
      ['/health/startup', '/health/live', '/health/ready'].map((probed) => ({ path: probed, port: 'mcp' })),
    );
  });

  test('leave time to drain, and to learn of it', () => {
    const graceMs = pod.terminationGracePeriodSeconds * 1000;
    const drainMs = gateway.drainSeconds * 1000;
    expect(graceMs).toBeGreaterThan(drainMs + STOP_WITHIN_MS);
    const { periodSeconds, failureThreshold } = container.readinessProbe;
    expect(periodSeconds * failureThreshold * 1000).toBeLessThan(Math.min(drainMs / 2, NOTICE_MS));
  });

  test('keep the state where the image has it', () => {
    const image = readFileSync(path.join(REPOSITORY, 'Dockerfile'), 'utf8');
    const mounts = Object.fromEntries(
      container.volumeMounts.map(({ name, mountPath }: Record<string, string>) => [name, mountPath]),
    );
    expect(image).toContain(`-m 0700 ${mounts['state']}`);
    expect(image).toContain(`USER ${pod.securityContext.runAsUser}:${pod.securityContext.runAsGroup}`);
    const claim = pod.volumes.find(({ name }: { name: string }) => name === 'state').persistentVolumeClaim.claimName;
    expect(claim).toBe(manifest('storage.yaml').metadata.name);
  });

  test.each([
    ['service.yaml', (spec: Record<string, unknown>) => spec['selector']],
    ['disruption-budget.yaml', (spec: Record<string, { matchLabels: unknown }>) => spec['selector']?.matchLabels],
    ['network-policy.yaml', (spec: Record<string, { matchLabels: unknown }>) => spec['podSelector']?.matchLabels],
  ])('%s is about these pods', (name, selector) => {
    expect(selector(manifest(name).spec)).toEqual(labels);
  });

  test('scale between one more than a budget spares and what a person expects', () => {
    const { scaleTargetRef, minReplicas, maxReplicas } = manifest('autoscaler.yaml').spec;
    expect(scaleTargetRef.name).toBe(deployment.metadata.name);
    expect(minReplicas).toBeGreaterThan(manifest('disruption-budget.yaml').spec.minAvailable);
    expect(maxReplicas).toBeGreaterThan(minReplicas);
    expect(deployment.spec).not.toHaveProperty('replicas');
    expect(container.resources.requests.cpu).toBeDefined();
  });

  test('let the pods out to the ports of both protocols, but not into private networks', () => {
    const outside = manifest('network-policy.yaml').spec.egress.at(-1);
    expect(outside.ports.map(({ port }: { port: number }) => port)).toEqual([70, 1965]);
    for (const { ipBlock } of outside.to) expect(ipBlock.except.length).toBeGreaterThan(2);
  });
});

describe('the balancer', () => {
  const text = read('haproxy.cfg');

  test('asks for readiness, and learns of a drain before the instance stops listening', () => {
    expect(text).toContain('option httpchk GET /health/ready');
    const [, interval, fall] = /inter (\d+)s fall (\d+)/.exec(text) ?? [];
    const { gateway } = settings({});
    expect(Number(interval) * Number(fall) * 1000).toBeLessThan((gateway.drainSeconds * 1000) / 2);
  });

  test('waits as long as a call may take', () => {
    const { gopher, gemini } = settings({});
    const [, seconds] = /timeout server (\d+)s/.exec(text) ?? [];
    for (const { maxWaitSeconds, timeoutSeconds } of [gopher, gemini])
      expect(Number(seconds)).toBeGreaterThan(maxWaitSeconds + timeoutSeconds);
  });

  test('remembers a session as long as the server keeps it', () => {
    const { gateway } = settings({});
    expect(text).toContain(`expire ${gateway.sessionTtlSeconds / 60}m`);
  });
});

describe('docs/operations.md', () => {
  const page = readFileSync(path.join(REPOSITORY, 'docs', 'operations.md'), 'utf8');
  const inCode = [...page.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);

  test('names variables that exist', () => {
    const named = new Set(page.match(/\b(?:GOPHER|GEMINI)_[A-Z_]+\b/g));
    expect([...named].filter((name) => !knownVariables().includes(name))).toEqual([]);
  });

  test('leads to files that exist', () => {
    const links = [...page.matchAll(/\]\((?!https:)([^)#]+)/g)].map(([, target = '']) =>
      path.join(REPOSITORY, 'docs', target),
    );
    expect(links.filter((file) => !existsSync(file))).toEqual([]);
  });

  test.each(['not ready', 'ready again', 'calls cut off', 'not stopped in time'])('names the event %p', (event) => {
    expect(inCode).toContain(event);
    const sources = ['health/readiness.ts', 'bin/drain.ts', 'bin/stop.ts'];
    const text = sources.map((file) => readFileSync(path.join(REPOSITORY, 'src', file), 'utf8')).join('');
    expect(text).toContain(`'${event}'`);
  });

  test('tells the times that the program keeps', () => {
    const { gateway, gopher } = settings({});
    expect(page).toContain(`\`GOPHER_MCP_DRAIN_SECONDS\` (${gateway.drainSeconds})`);
    expect(page).toContain(`${gopher.maxWaitSeconds + gopher.timeoutSeconds} seconds by default`);
    expect([NOTICE_MS, STOP_WITHIN_MS, LATE_FROM_MS, PROBE_EVERY_MS]).toEqual([10_000, 5000, 1000, 5000]);
  });
});

test('the container is given longer to stop than the server takes', () => {
  const compose = parse(readFileSync(path.join(REPOSITORY, 'docker-compose.yml'), 'utf8'));
  const seconds = Number.parseInt(compose.services['gopher-mcp'].stop_grace_period, 10);
  expect(seconds * 1000).toBeGreaterThan(settings({}).gateway.drainSeconds * 1000 + STOP_WITHIN_MS);
});

describe('the replicas of docker-compose.yml', () => {
  const { services } = parse(readFileSync(path.join(REPOSITORY, 'docker-compose.yml'), 'utf8'), { merge: true });
  const replicas = Object.entries<Record<string, unknown>>(services).filter(([name]) => name.startsWith('replica-'));
  const balancer = read('haproxy-replicas.cfg');

  test('are two, with settings that are valid and let nobody in without a key', () => {
    expect(replicas).toHaveLength(2);
    for (const [, { environment }] of replicas) {
      const given = { ...(environment as Record<string, string>), GOPHER_MCP_STATE_KEY: 'ab'.repeat(32) };
      const { auth, redis } = settings({
        ...given,
        GOPHER_MCP_TRANSPORT: 'streamable-http',
        GOPHER_MCP_HOST: '0.0.0.0',
      });
      expect(auth.requireAuth).toBe(true);
      expect(new URL(redis.redisUrl ?? '').hostname).toBe('redis');
      expect(Object.keys(given).filter((name) => !knownVariables().includes(name))).toEqual([]);
    }
  });

  test('start only when they are asked for, and are given longer to stop than they take', () => {
    for (const [name, service] of Object.entries<Record<string, unknown>>(services)) {
      expect(service['profiles']).toEqual(name === 'gopher-mcp' ? undefined : ['replicas']);
    }
    for (const [, service] of replicas) {
      const seconds = Number.parseInt(String(service['stop_grace_period']), 10);
      expect(seconds * 1000).toBeGreaterThan(settings({}).gateway.drainSeconds * 1000 + STOP_WITHIN_MS);
    }
  });

  test('are those that the balancer knows, which waits for as long as a call may take and keeps nobody at one of them', () => {
    const known = [...balancer.matchAll(/^ {2}server \S+ (\S+):8000$/gm)].map(([, host]) => host);
    expect(known).toEqual(replicas.map(([name]) => name));
    const { maxWaitSeconds, timeoutSeconds } = settings({}).gopher;
    const [, seconds] = /timeout server (\d+)s/.exec(balancer) ?? [];
    expect(Number(seconds)).toBeGreaterThan(maxWaitSeconds + timeoutSeconds);
    expect(balancer).not.toContain('stick');
  });
});

describe('what is drawn and watched', () => {
  const suffixes = { counter: [''], gauge: [''], histogram: ['_bucket', '_sum', '_count'] };
  const known = Object.values(METRICS).flatMap(({ name, type }) => suffixes[type].map((suffix) => name + suffix));
  const labelsOf = new Map<string, readonly string[]>(Object.values(METRICS).map(({ name, labels }) => [name, labels]));
  const rules = parse(read('prometheus-rules.yml')).groups.flatMap(({ rules }: { rules: { expr: string }[] }) => rules);
  const dashboard = JSON.parse(read('grafana-dashboard.json'));
  const drawn = dashboard.panels.flatMap(({ targets = [] }: { targets?: { expr: string }[] }) => targets);
  const queries: string[] = [...rules, ...drawn].map(({ expr }) => expr);

  test.each(queries)('exists: %s', (query) => {
    for (const [, name = '', matchers = ''] of query.matchAll(/\b(gopher_mcp_\w+)(?:\{([^}]*)\})?/g)) {
      expect(known).toContain(name);
      const labels = labelsOf.get(name.replace(/_(bucket|sum|count)$/, '')) ?? labelsOf.get(name);
      for (const [, label = ''] of matchers.matchAll(/(\w+)(?:=~|!=|!~|=)"/g))
        expect(['instance', 'job', ...(labels ?? [])]).toContain(label);
    }
    for (const [, grouped = ''] of query.matchAll(/\bby \(([^)]*)\)/g))
      for (const label of grouped.split(', '))
        expect(['instance', 'le', ...[...labelsOf.values()].flat()]).toContain(label);
  });

  test('covers every metric', () => {
    const names = new Set(queries.join(' ').match(/\bgopher_mcp_\w+/g));
    const missing = Object.values(METRICS).filter(
      ({ name, type }) => !suffixes[type].some((suffix) => names.has(name + suffix)),
    );
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  test('panels have ids of their own and do not lie on each other', () => {
    const ids = dashboard.panels.map(({ id }: { id: number }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const cells = new Set<string>();
    for (const { gridPos: at } of dashboard.panels as { gridPos: Record<'x' | 'y' | 'w' | 'h', number> }[]) {
      expect(at.x + at.w).toBeLessThanOrEqual(24);
      for (let x = at.x; x < at.x + at.w; x++) {
        for (let y = at.y; y < at.y + at.h; y++) {
          expect(cells.has(`${x} ${y}`)).toBe(false);
          cells.add(`${x} ${y}`);
        }
      }
    }
  });

  test('alerts say what to do, and how urgent it is', () => {
    for (const { labels, annotations } of rules) {
      expect(['warning', 'critical']).toContain(labels.severity);
      expect(annotations).toEqual({ summary: expect.any(String), description: expect.stringMatching(/\.$/) });
    }
  });

  test('the scraped port is that of the sample settings', () => {
    const [{ static_configs: configs }] = parse(read('prometheus.yml')).scrape_configs;
    expect(configs[0].targets.every((target: string) => target.endsWith(':9464'))).toBe(true);
    expect(read('gateway.env')).toContain('GOPHER_MCP_METRICS_PORT=9464');
  });
});
