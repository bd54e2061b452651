/**
 * The tools of the real graph, called inside this process as a transport calls them: with names that resolve as the test says,
 * and with time that passes faster. What is left behind after a call (sockets, timers, places in line) can be counted.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Test, type TestingModule } from '@nestjs/testing';
// Loaded here: Jest cannot load modules that share some by several dynamic imports at once.
import '../../src/gopher/index.js';
import '../../src/gemini/index.js';
import '../../src/mcp/tools/gopher.behaviour.js';
import '../../src/mcp/tools/gemini.behaviour.js';
import '../../src/mcp/tools/trust.behaviour.js';
import '../../src/mcp/tools/identity.behaviour.js';
import { AppModule } from '../../src/app.module.js';
import { Clock } from '../../src/common/clock.port.js';
import { LOCAL_PRINCIPAL } from '../../src/common/principal.js';
import { loadConfig } from '../../src/config/index.js';
import type { PipelineLoad } from '../../src/fetch/index.js';
import { TlsDialer } from '../../src/gemini/tls-dialer.port.js';
import { GopherDialer } from '../../src/gopher/gopher-dialer.port.js';
import { openLog } from '../../src/logging/index.js';
import { PageReader, servedTemplates, TEMPLATE_TABLE, ToolRunner } from '../../src/mcp/index.js';
import { TOOL_TABLE } from '../../src/mcp/tool-table.js';
import type { ToolCall } from '../../src/mcp/tool.js';
import { NodeDnsResolver } from '../../src/safety/io/node-dns-resolver.js';
import { DnsResolver } from '../../src/safety/dns-resolver.port.js';
import { brokenPromises, outputSchemas } from './answer-checks.js';
import { HurriedClock } from './hurried-clock.js';
import { isObject, shown, type JsonObject } from './json.js';
import { Traffic } from './traffic.js';
import { temporaryFolder, type TemporaryFolder } from './temporary-folder.js';

/** Gives the addresses of a name as the operating system would, or rejects; undefined leaves the question to the system. */
export type TestLookup = (host: string) => Promise<readonly string[]> | readonly string[];

/** One connection that would have been made. */
export interface Dialled {
  readonly addresses: readonly string[];
  readonly port: number;
  /** The request line. */
  readonly request: string;
}

/** Takes note of a connection and gives the bytes that its server answers. */
export type DialRecorder = (dialled: Dialled) => string;

export interface ToolBenchOptions {
  /** Variables of the server, without the start that names the protocol: they count for both. */
  readonly both?: Readonly<Record<string, string>>;
  /** Variables as they are. */
  readonly env?: Readonly<Record<string, string>>;
  readonly lookup?: TestLookup;
  /** Given: nothing is connected to. Tells what would have been, and gives the bytes of the answer. */
  readonly dialled?: DialRecorder;
  /** How many times as fast durations pass. Default 1. */
  readonly hurry?: number;
}

/** Everything that Node holds open for a socket or a look-up. Timers are counted at the clock: Jest has some of its own. */
const HELD = /^(TCPSocketWrap|TCPConnectWrap|TLSWrap|PipeWrap|GetAddrInfoReqWrap|ShutdownWrap|WriteWrap)$/;

/** Longer ones belong to no fetch: the last sight of a pin is written once a minute. */
const TIMER_OF_A_FETCH_MS = 59_000;

/** Knows how many of the timers it gave out still wait. */
class CountingClock extends HurriedClock {
  readonly #waiting = new Set<object>();

  /** Timers that neither fired nor were cancelled, but those that belong to no fetch. */
  get waiting(): number {
    return this.#waiting.size;
  }

  override setTimer(delayMs: number, callback: () => void): () => void {
    const timer = {};
    if (delayMs < TIMER_OF_A_FETCH_MS) this.#waiting.add(timer);
    const cancel = super.setTimer(delayMs, () => {
      this.#waiting.delete(timer);
      callback();
    });
    return () => {
      this.#waiting.delete(timer);
      cancel();
    };
  }
}

/** See the file's header. */
export class ToolBench {
  /** Whatever was logged, as it would stand on stderr. */
  readonly logged: string[] = [];
  readonly #traffic = new Traffic();
  readonly #loads: (() => PipelineLoad)[] = [];
  readonly #clock: CountingClock;
  readonly #schemas = outputSchemas(JSON.parse(JSON.stringify(TOOL_TABLE)) as JsonObject[]);
  #folder!: TemporaryFolder;
  #graph!: TestingModule;

  private constructor(hurry: number) {
    this.#clock = new CountingClock(hurry);
  }

  static async start({ both = {}, env = {}, lookup, dialled, hurry = 1 }: ToolBenchOptions): Promise<ToolBench> {
    const bench = new ToolBench(hurry);
    bench.#folder = await temporaryFolder();
    const variables = {
      ...Object.fromEntries(
        Object.entries(both).flatMap(([name, value]) => [
          [`GOPHER_${name}`, value],
          [`GEMINI_${name}`, value],
        ]),
      ),
      ...env,
    };
    const config = loadConfig(variables);
    if (!config.ok) throw new Error(JSON.stringify(config.error));
    const opened = openLog(config.value.server, { stderr: { write: (line) => bench.#log(line) } });
    if (!opened.ok) throw new Error(JSON.stringify(opened.error));
    const app = await AppModule.register({
      version: '0.0.0',
      config: config.value,
      log: opened.value.log,
      machine: { env: { ...variables, XDG_DATA_HOME: bench.#folder.path }, platform: process.platform },
      tools: TOOL_TABLE,
      templates: servedTemplates(TEMPLATE_TABLE, TOOL_TABLE),
      observers: [{ onFetch: () => undefined, onPipeline: (_, load) => bench.#loads.push(load) }],
    });
    const building = Test.createTestingModule({ imports: [app] })
      .overrideProvider(Clock)
      .useValue(bench.#clock);
    if (lookup) building.overrideProvider(DnsResolver).useValue(new NodeDnsResolver(lookupAll(lookup)));
    if (dialled) {
      building.overrideProvider(GopherDialer).useValue(recordingTcp(dialled));
      building.overrideProvider(TlsDialer).useValue(recordingTls(dialled));
    }
    bench.#graph = await building.compile();
    await bench.#graph.init();
    return bench;
  }

  /** The payload of a call, held against the promises of all answers. */
  async call(tool: string, args: JsonObject, signal = new AbortController().signal): Promise<JsonObject> {
    const entry = TOOL_TABLE.find(({ name }) => name === tool);
    if (!entry) throw new Error(`no tool ${tool}`);
    this.#traffic.sent(args);
    const run = await this.#graph.get(ToolRunner, { strict: false }).run(entry, args, callWith(signal));
    if (run.kind !== 'result') throw new Error(`${tool} asks a question`);
    const { members, isError } = run.result;
    const result = JSON.parse(`{${Buffer.concat([...members]).toString()},"isError":${isError}}`) as JsonObject;
    const broken = brokenPromises(result, this.#schemas.get(tool));
    if (broken.length > 0) throw new Error(`${tool} ${shown(args)}: ${broken.join('; ')}`);
    const payload = result['structuredContent'];
    if (!isObject(payload)) throw new Error(`${tool}: no structured content`);
    this.#traffic.received(payload);
    return payload;
  }

  /** What reading a page as a resource gives: its contents, or the detail of the failure. */
  async read(uri: string): Promise<JsonObject> {
    const template = TEMPLATE_TABLE.find(({ scheme }) => uri.startsWith(`${scheme}:`));
    if (!template) throw new Error(`no template for ${uri}`);
    this.#traffic.sent({ uri });
    const { signal, fetchContext } = callWith(new AbortController().signal);
    const read = await this.#graph.get(PageReader, { strict: false }).read(template, uri, signal, fetchContext);
    return JSON.parse(JSON.stringify(read.ok ? read.value : { error: read.error.detail })) as JsonObject;
  }

  #log(line: string): void {
    this.logged.push(line);
    this.#traffic.logged(line);
  }

  /** Requests that stand in line or hold a slot, in all pipelines together. */
  get underWay(): number {
    return this.#loads
      .map((load) => load())
      .reduce((sum, { pacing, slotsTaken, slotsWaiting }) => sum + pacing + slotsTaken + slotsWaiting, 0);
  }

  /** Timers of fetches that still wait. */
  get timers(): number {
    return this.#clock.waiting;
  }

  async close(): Promise<void> {
    await this.#graph.close();
    await this.#folder.remove();
  }
}

function callWith(signal: AbortSignal): ToolCall {
  return {
    principal: LOCAL_PRINCIPAL,
    signal,
    progress: () => undefined,
    consent: 'unable',
    fetchContext: { principal: LOCAL_PRINCIPAL },
  };
}

function recordingTcp(record: DialRecorder): GopherDialer {
  return {
    dial: async ({ addresses, port, request }) => ({
      kind: 'body',
      body: Buffer.from(record({ addresses: addresses.map(({ address }) => address), port, request: String(request) })),
      incomplete: null,
    }),
  };
}

/** One server for all hosts, with one certificate that is valid for ever. */
function recordingTls(record: DialRecorder): TlsDialer {
  const fingerprint = 'ab'.repeat(32);
  return {
    dial: async ({ addresses, port, request, reader, admit }) => {
      const answer = record({ addresses: addresses.map(({ address }) => address), port, request });
      const refusal = await admit({ fingerprint, spki: null, notBeforeMs: 0, notAfterMs: 4e12 });
      if (refusal) return { ok: false, error: refusal };
      reader.push(Buffer.from(answer));
      const read = reader.finish('closed');
      if (read === null) throw new Error('an answer that is none');
      if (!read.ok) return read;
      const connection = { version: 'TLSv1.3', cipher: 'TLS_AES_128_GCM_SHA256', fingerprint };
      return { ok: true, value: { connection, response: read.value } };
    },
  };
}

function lookupAll(lookup: TestLookup): (host: string) => Promise<{ address: string; family: number }[]> {
  return async (host) => (await lookup(host)).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
}

/** How many sockets and look-ups Node holds open now, by kind. */
export function heldOpen(): ReadonlyMap<string, number> {
  const held = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) if (HELD.test(kind)) held.set(kind, (held.get(kind) ?? 0) + 1);
  return held;
}

/** What is held open beyond `before`, after everything that is closing has closed; empty when nothing leaks. */
export async function leakedSince(before: ReadonlyMap<string, number>): Promise<Record<string, number>> {
  let leaked: [string, number][] = [];
  for (let turn = 0; turn < 100; turn++) {
    leaked = Array.from(heldOpen(), ([kind, count]): [string, number] => [kind, count - (before.get(kind) ?? 0)]);
    leaked = leaked.filter(([, extra]) => extra > 0);
    if (leaked.length === 0) break;
    await nextTurn();
  }
  return Object.fromEntries(leaked);
}
