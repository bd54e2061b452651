/** Which code of the bundle a transport loads: what it does not need costs every start, and every host that it runs on. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { REPOSITORY } from '../support/server-under-test.js';

const DIST = path.join(REPOSITORY, 'dist');
const source = (file: string): string => readFileSync(path.join(DIST, file), 'utf8');

/** The chunk that holds `export { name }`. */
function chunkOf(name: string): string {
  const exporting = new RegExp(`^export \\{[^}]*\\b${name}\\b`, 'm');
  const [found, ...others] = readdirSync(DIST).filter((file) => file.endsWith('.mjs') && exporting.test(source(file)));
  if (found === undefined || others.length > 0) throw new Error(`${name} is exported by ${others.length + 1} chunks`);
  return found;
}

/** All code that runs when these files are loaded. */
function loaded(...files: readonly string[]): string {
  const seen = new Set<string>();
  const follow = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, next = ''] of source(file).matchAll(/^(?:import|\} from) "\.\/([^"]+)";$/gm)) follow(next);
  };
  for (const file of files) follow(file);
  return [...seen].map(source).join('\n');
}

/** Texts that stand in one package, or one part of ours, alone. */
const MARKS = {
  'prom-client': 'nodejs_eventloop_lag',
  fastify: 'FST_ERR_CTP_INVALID_MEDIA_TYPE',
  Terminus: 'HealthCheckService',
  'the HTTP transports': 'McpDispatcher',
  'the audit': 'audit lines cannot be written',
  OpenTelemetry: 'ProxyTracerProvider',
  'the commands': '// src/cli/',
} as const;

type Part = keyof typeof MARKS;

const PARTS = [
  'prom-client',
  'fastify',
  'Terminus',
  'the HTTP transports',
  'the audit',
  'OpenTelemetry',
  'the commands',
] as const;

function partsOf(code: string): Part[] {
  return PARTS.filter((part) => code.includes(MARKS[part]));
}

describe('the bundle', () => {
  test('has every part that is looked for', () => {
    const all = readdirSync(DIST).filter((file) => file.endsWith('.mjs'));
    expect(partsOf(all.map(source).join('\n'))).toEqual(Object.keys(MARKS));
  });

  test('loads nothing of HTTP, metrics, audit, traces and commands over stdio', () => {
    expect(partsOf(loaded('app.mjs', chunkOf('serveStdio'), chunkOf('buildServiceGraph')))).toEqual([]);
  });

  test('loads no metrics over HTTP until they are wanted', () => {
    expect(partsOf(loaded('app.mjs', chunkOf('serveHttp')))).toEqual(['fastify', 'Terminus', 'the HTTP transports']);
    expect(partsOf(loaded(chunkOf('measure')))).toContain('prom-client');
  });
});
