/**
 * Runs a wire case: a local server that gives exactly the bytes of the case, and calls of the tools.
 *
 * Cases of one profile share a server under test. So that no pin, back-off or cache entry of one case reaches another,
 * each has a loopback address of its own; where the system has only one such address (macOS), each case gets a server
 * under test of its own instead.
 */
import { join } from 'node:path';

import { brokenPromises, outputSchemas, type OutputSchema } from './answer-checks.js';
import { isArray, isObject, lookup, shown, textOf, type Json, type JsonObject } from './json.js';
import { McpStdioClient, type Answer } from './mcp-stdio-client.js';
import { makeScratchFolder, removeScratchFolder, serverCommand, serverEnvironment } from './server-under-test.js';
import { unmet } from './wire-case-check.js';
import {
  rewriteExpectation,
  type WireCase,
  type WireProfile,
  type WireRequest,
  type WireServerSpec,
} from './wire-case-format.js';
import { WireCaseServer } from './wire-case-server.js';

/** Wire-time budget given to the server under test; expectations in seconds are made for it. */
const TIMEOUT_SECONDS = '4';
const HAS_MANY_LOOPBACK_ADDRESSES = process.platform !== 'darwin';

/** A server under test with its session. */
interface Target {
  readonly client: McpStdioClient;
  readonly schemas: ReadonlyMap<string, OutputSchema>;
  readonly close: () => Promise<void>;
}

/** The servers under test, one for each profile, started when first needed. */
export class WireTargets {
  readonly #shared = new Map<WireProfile, Promise<Target>>();

  /** Runs `work` with the server under test of a profile. */
  async use<T>(profile: WireProfile, work: (target: Target) => Promise<T>): Promise<T> {
    if (HAS_MANY_LOOPBACK_ADDRESSES) {
      const shared = this.#shared.get(profile) ?? startTarget(profile);
      this.#shared.set(profile, shared);
      return work(await shared);
    }
    const own = await startTarget(profile);
    try {
      return await work(own);
    } finally {
      await own.close();
    }
  }

  async close(): Promise<void> {
    for (const target of this.#shared.values()) await (await target).close();
  }
}

async function startTarget(profile: WireProfile): Promise<Target> {
  const folder = await makeScratchFolder();
  const client = new McpStdioClient({
    command: serverCommand(),
    folder,
    environment: serverEnvironment(folder, settings(profile, folder)),
  });
  const close = async (): Promise<void> => {
    await client.close();
    await removeScratchFolder(folder);
  };
  try {
    await client.initialize();
    // Some parts are loaded at the first call; expectations in seconds are about fetches.
    await client.callTool('gopher_batch_fetch', { urls: [] });
    await client.callTool('gemini_batch_fetch', { urls: [] });
    return { client, schemas: outputSchemas(await client.listAll('tools/list', 'tools')), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function settings(profile: WireProfile, folder: string): Record<string, string> {
  const perProtocol = {
    TIMEOUT_SECONDS,
    ALLOW_LOCAL_HOSTS: String(profile !== 'strict'),
    RESPECT_ROBOTS_TXT: String(profile === 'robots'),
    ROBOTS_FAILURE_BACKOFF_SECONDS: '0',
    REQUESTS_PER_MINUTE: '0',
    MAX_CONCURRENT_REQUESTS: '0',
  };
  const both = ['GOPHER', 'GEMINI'].flatMap((protocol) =>
    Object.entries(perProtocol).map(([name, value]) => [`${protocol}_${name}`, value] as const),
  );
  return {
    ...Object.fromEntries(both),
    ...(profile === 'renewal' ? { GEMINI_TOFU_RENEWAL: 'expired,same-key' } : {}),
    GEMINI_TOFU_STORAGE_PATH: join(folder, 'tofu.json'),
    GEMINI_CLIENT_CERTS_STORAGE_PATH: join(folder, 'certs'),
    GOPHER_MCP_LOG_LEVEL: 'ERROR',
  };
}

/**
 * Runs the case; gives one line for each expectation that is not met.
 *
 * @param index position of the case, from which its address is made; 0..13,439
 */
export async function runWireCase(wireCase: WireCase, index: number, targets: WireTargets): Promise<readonly string[]> {
  const { protocol, profile = 'default' } = wireCase;
  const server = await WireCaseServer.start({ protocol, profile, ...addressOf(wireCase.server, index) });
  try {
    return await targets.use(profile, (target) =>
      runSteps(wireCase, server, target, addressOf(wireCase.server, index)),
    );
  } finally {
    await server.close();
  }
}

function addressOf(server: WireServerSpec, index: number): { address: string; urlHost: string } {
  if (server.host === '[::1]') return { address: '::1', urlHost: '[::1]' };
  if (server.host !== undefined) return { address: '127.0.0.1', urlHost: server.host };
  const own = `127.${20 + Math.floor(index / 240)}.${1 + (index % 240)}.7`;
  const address = HAS_MANY_LOOPBACK_ADDRESSES ? own : '127.0.0.1';
  return { address, urlHost: address };
}

async function runSteps(
  wireCase: WireCase,
  server: WireCaseServer,
  target: Target,
  { urlHost }: { urlHost: string },
): Promise<readonly string[]> {
  let spec = wireCase.server;
  let previous: JsonObject = {};
  for (const [index, step] of wireCase.steps.entries()) {
    spec = step.server === undefined ? spec : overlaid(spec, step.server);
    await server.serve(spec);
    const fill = filler(urlHost, server.port, previous);
    const before = server.hits.length;
    const call = await makeCall(wireCase, step.request, fill, target);
    const expect = rewriteExpectation(step.expect ?? {}, fill);
    const lines = [
      ...call.broken,
      ...unmet(expect, {
        ...call,
        hits: server.hits.slice(before),
        hitCount: server.hits.length,
        fingerprint: server.fingerprint,
      }),
    ];
    if (lines.length > 0) return lines.map((line) => `step ${index + 1}: ${line}`);
    previous = call.result;
  }
  return [];
}

/** A step's server replaces the members that it names; a new response replaces the old one whatever its form. */
function overlaid(spec: WireServerSpec, change: WireServerSpec): WireServerSpec {
  const brings = Object.keys(change).some((member) => member.startsWith('response_'));
  const { response_text, response_b64, response_repeat, ...others } = spec;
  const kept = brings
    ? {}
    : {
        ...(response_text === undefined ? {} : { response_text }),
        ...(response_b64 === undefined ? {} : { response_b64 }),
        ...(response_repeat === undefined ? {} : { response_repeat }),
      };
  return { ...others, ...kept, ...change };
}

interface CallOutcome {
  readonly result: JsonObject;
  readonly isError: boolean;
  readonly seconds: number;
  readonly broken: readonly string[];
}

async function makeCall(
  wireCase: WireCase,
  request: WireRequest,
  fill: (value: Json) => Json,
  { client, schemas }: Target,
): Promise<CallOutcome> {
  const { tool = `${wireCase.protocol}_fetch`, walk = 0, ...rest } = request;
  const args = fill(JSON.parse(JSON.stringify(rest)));
  if (!isObject(args)) throw new Error('arguments are an object');
  const startedMs = performance.now();
  const first = read(await client.callTool(tool, args));
  const seconds = (performance.now() - startedMs) / 1000;
  const broken = [...brokenPromises(first.envelope, schemas.get(tool))];
  if (walk === 0) return { ...first, seconds, broken };

  const parts = [bodyOf(first.result)];
  let last = first;
  while (typeof last.result['next_offset'] === 'number' && parts.length < walk) {
    last = read(await client.callTool(tool, { ...args, offset: last.result['next_offset'] }));
    broken.push(...brokenPromises(last.envelope, schemas.get(tool)));
    parts.push(bodyOf(last.result));
  }
  const isByLine = first.result['kind'] === 'gemtext' && first.result['partial_line'] !== true;
  const result = { ...last.result, joined: parts.join(isByLine ? '\n' : ''), windows: parts.length };
  return { result, isError: last.isError, seconds, broken };
}

interface ReadAnswer {
  readonly envelope: JsonObject;
  readonly result: JsonObject;
  readonly isError: boolean;
}

function read({ result: envelope, error }: Answer): ReadAnswer {
  if (envelope === undefined) throw new Error(`a JSON-RPC error instead of a result: ${shown(error)}`);
  const structured = envelope['structuredContent'];
  const result = isObject(structured) ? structured : { kind: null, raw: envelope['content'] ?? null };
  return { envelope, result, isError: envelope['isError'] === true };
}

function bodyOf(result: JsonObject): string {
  const lines = lookup(result, 'document.lines');
  if (isArray(lines)) return lines.map((line) => textOf(lookup(line, 'content'))).join('\n');
  return textOf(result['text']) || textOf(result['content']);
}

/** Replaces {HOST}, {PORT}, {PREV:path} and {FILL:n} in every string of a value. */
function filler(urlHost: string, port: number, previous: JsonObject): (value: Json) => Json {
  const fill = (value: Json): Json => {
    if (isArray(value)) return value.map(fill);
    if (isObject(value)) {
      return Object.fromEntries(Object.entries(value).map(([member, below]) => [fillText(member), fill(below)]));
    }
    if (typeof value !== 'string') return value;
    const path = /^\{PREV:([^}]+)\}$/.exec(value)?.[1];
    return path === undefined ? fillText(value) : (lookup(previous, path) ?? null);
  };
  const fillText = (text: string): string => {
    const filled = text.replaceAll('{HOST}', urlHost).replaceAll('{PORT}', String(port));
    return filled.replace(/\{FILL:(\d+)\}/, (placeholder, bytes) =>
      'a'.repeat(Number(bytes) - (Buffer.byteLength(filled) - placeholder.length)),
    );
  };
  return fill;
}
