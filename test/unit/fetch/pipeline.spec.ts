import { beforeEach, describe, expect, test } from '@jest/globals';
import { LOCAL_PRINCIPAL } from '../../../src/common/principal.js';
import type { CachedPage, PageAddress, PageCache, ResourceAddress } from '../../../src/cache/index.js';
import { failure, type Failure } from '../../../src/common/error-codes.js';
import { compactJson, parsePayload } from '../../../src/common/payload.js';
import { err, ok, type Result } from '../../../src/common/result.js';
import { asError } from '../../../src/common/thrown.js';
import { FetchPipeline } from '../../../src/fetch/pipeline.js';
import type { FetchRecord, FetchWait, PipelineLoad } from '../../../src/fetch/fetch-observer.port.js';
import type {
  Exchange,
  ExchangeContext,
  FetchCall,
  FetchRequest,
  HeldDocument,
  ProtocolAdapter,
  RenderedWindow,
  WindowBounds,
} from '../../../src/fetch/protocol.port.js';
import {
  AddressGuard,
  ConcurrencySlots,
  HostPacer,
  HostPolicy,
  MemoryPacingStore,
  MemoryRobotsStore,
  RobotsGate,
  type RobotsProbe,
} from '../../../src/safety/index.js';
import { FakeClock, settled } from '../../support/fake-clock.js';

interface Doc extends HeldDocument {
  readonly text: string;
}

/** A protocol whose server is a function. */
class ScriptedProtocol implements ProtocolAdapter<FetchRequest, Doc> {
  readonly name = 'scripted';
  exchanges = 0;
  probes = 0;
  identity = '';
  answer: (context: ExchangeContext) => Promise<Exchange<Doc>> = () => Promise.resolve(page('hello'));
  robots: () => Promise<RobotsProbe> = () => Promise.resolve({ kind: 'absent' });

  parse({ url }: FetchCall): Result<FetchRequest, Failure> {
    if (!url.startsWith('x:')) return err(failure('INVALID_REQUEST', 'no'));
    const path = url.slice(2);
    return ok({ host: 'host.test', port: 7, key: path.includes('?') ? null : path, robotsPaths: [path] });
  }

  refuse(): null {
    return null;
  }

  variant(): Promise<string> {
    return Promise.resolve(this.identity);
  }

  exchange(_request: FetchRequest, context: ExchangeContext): Promise<Exchange<Doc>> {
    this.exchanges++;
    return this.answer(context);
  }

  probeRobots(): Promise<RobotsProbe> {
    this.probes++;
    return this.robots();
  }

  render({ text }: Doc, _request: FetchRequest, { offset, maxChars }: WindowBounds): RenderedWindow {
    const end = offset + maxChars;
    return { members: { kind: 'text', text: text.slice(offset, end) }, nextOffset: end < text.length ? end : null };
  }

  describe({ host, port }: FetchRequest): { host: string; port: number } {
    return { host, port };
  }

  describeRefused(url: string): { url: string } {
    return { url: url.split('?', 1)[0] ?? '' };
  }
}

class MapPageCache implements PageCache {
  readonly pages = new Map<string, { page: CachedPage; at: PageAddress }>();

  get(at: PageAddress): Promise<CachedPage | undefined> {
    return Promise.resolve(this.pages.get(JSON.stringify(at))?.page);
  }

  set(at: PageAddress, page: CachedPage): Promise<void> {
    this.pages.set(JSON.stringify(at), { page, at });
    return Promise.resolve();
  }

  dropResource({ host, resource }: ResourceAddress): Promise<void> {
    return this.#drop((at) => at.host === host && at.resource === resource);
  }

  dropHost(host: string): Promise<void> {
    return this.#drop((at) => at.host === host);
  }

  #drop(isMeant: (at: PageAddress) => boolean): Promise<void> {
    for (const [key, { at }] of this.pages) if (isMeant(at)) this.pages.delete(key);
    return Promise.resolve();
  }
}

function page(text: string, incomplete: 'timeout' | 'no_close_notify' | null = null): Exchange<Doc> {
  return { kind: 'document', document: { text, heldBytes: text.length }, incomplete, connection: {} };
}

let clock: FakeClock;
let protocol: ScriptedProtocol;
let pages: MapPageCache;
let records: FetchRecord[];
let waits: FetchWait[];
/** What the pipeline made last does at the moment. */
let load: () => PipelineLoad;
let lookups: number;

beforeEach(() => {
  clock = new FakeClock();
  protocol = new ScriptedProtocol();
  pages = new MapPageCache();
  records = [];
  waits = [];
  lookups = 0;
});

interface Tuning {
  readonly requestsPerMinute?: number;
  readonly maxConcurrent?: number;
  readonly robots?: boolean;
  readonly cacheEnabled?: boolean;
  readonly maxChars?: number;
  readonly maxBytes?: number;
}

function pipeline({
  requestsPerMinute = 0,
  maxConcurrent = 0,
  robots = false,
  cacheEnabled = true,
  maxChars = 1000,
  maxBytes = 0,
}: Tuning = {}) {
  const variablePrefix = 'X_';
  const resolver = {
    resolve: () => {
      lookups++;
      return Promise.resolve(ok([{ address: '192.0.2.99', family: 4 as const }]));
    },
  };
  return new FetchPipeline(
    protocol,
    {
      hostPolicy: new HostPolicy({ allowedHosts: null, variablePrefix }),
      robots: robots
        ? new RobotsGate(
            {
              ttlMs: 60_000,
              failureBackoffMs: 0,
              agents: { own: ['me'], additional: [] },
              onFailure: 'refuse',
              variablePrefix,
            },
            new MemoryRobotsStore(clock),
            clock,
          )
        : null,
      pacer: new HostPacer(
        { requestsPerMinute, maxWaitMs: 5000, hostWaitLimitMs: 1000, variablePrefix },
        new MemoryPacingStore(clock),
        clock,
      ),
      slots: new ConcurrencySlots({ maxConcurrent, variablePrefix }, clock),
      guard: new AddressGuard(
        { allowLocalHosts: true, allowedNetworks: [], deniedNetworks: [], allowedPorts: null, variablePrefix },
        resolver,
      ),
      pages,
      observer: {
        onFetch: (record) => void records.push(record),
        onWait: (wait) => void waits.push(wait),
        onPipeline: (_protocol, now) => void (load = now),
      },
      clock,
    },
    {
      timeoutMs: 1000,
      maxWaitMs: 5000,
      cacheEnabled,
      cacheTtlMs: 60_000,
      heldBodiesMaxBytes: 1_000_000,
      maxItems: 0,
      maxChars,
      maxBytes,
    },
  );
}

const call = (url: string, more: Partial<FetchCall> = {}): FetchCall => ({
  url,
  answer: null,
  refresh: false,
  offset: 0,
  format: 'full',
  ...more,
});

const CONTEXT = { principal: LOCAL_PRINCIPAL };
const forever = new AbortController().signal;

async function fetched(line: FetchPipeline<FetchRequest, Doc>, url: string, more: Partial<FetchCall> = {}) {
  return parsePayload(await line.fetch(call(url, more), forever, CONTEXT));
}

describe('the cache', () => {
  test('answers a second fetch, stamped with its age, and tells when it was downloaded', async () => {
    const line = pipeline();
    expect(await fetched(line, 'x:/a')).toMatchObject({
      text: 'hello',
      cached: false,
      cached_at: null,
      cache_age_seconds: null,
    });
    clock.advance(2340);
    expect(await fetched(line, 'x:/a')).toMatchObject({
      text: 'hello',
      cached: true,
      cached_at: '2026-01-01T00:00:00+00:00',
      cache_age_seconds: 2.3,
      request_info: { timestamp: '2026-01-01T00:00:02+00:00' },
    });
    expect(protocol.exchanges).toBe(1);
    expect(records.map(({ source }) => source)).toEqual(['wire', 'cache']);
  });

  test('is told of a client certificate that a download showed to everyone, not of its replay', async () => {
    const line = pipeline();
    const connection = { client_cert_warning: 'shown' };
    protocol.answer = () => Promise.resolve({ ...page('hello'), connection });
    await fetched(line, 'x:/a');
    await fetched(line, 'x:/a');
    protocol.answer = () => Promise.resolve({ kind: 'failure', failure: failure('TLS_ERROR', 'no'), connection });
    await fetched(line, 'x:/b');
    expect(records.map(({ warning }) => warning)).toEqual(['shown', undefined, 'shown']);
  });

  test('is not asked by a refresh, which drops every window and fills it anew', async () => {
    const line = pipeline({ maxChars: 3 });
    await fetched(line, 'x:/a');
    await fetched(line, 'x:/a', { offset: 3 });
    protocol.answer = () => Promise.resolve(page('HELLO'));
    expect(await fetched(line, 'x:/a', { refresh: true })).toMatchObject({ text: 'HEL', cached: false });
    expect(await fetched(line, 'x:/a', { offset: 3 })).toMatchObject({ text: 'LO', cached: true });
    expect(protocol.exchanges).toBe(2);
  });

  test('keeps neither errors, nor answers of one time, nor bodies that ended early, nor what has no key', async () => {
    const line = pipeline();
    const answers: Exchange<Doc>[] = [
      { kind: 'failure', failure: failure('FETCH_ERROR', 'no') },
      { kind: 'answer', members: { kind: 'redirect' }, connection: {} },
      page('half', 'timeout'),
    ];
    for (const answer of answers) {
      protocol.answer = () => Promise.resolve(answer);
      await fetched(line, 'x:/a');
    }
    protocol.answer = () => Promise.resolve(page('secret'));
    await fetched(line, 'x:/a?q');
    expect(pages.pages.size).toBe(0);
  });

  test('keeps a body whose connection only lacked its close_notify, flag included', async () => {
    const line = pipeline({ maxChars: 3 });
    protocol.answer = () => Promise.resolve(page('hello', 'no_close_notify'));
    await fetched(line, 'x:/a');
    const flag = { incomplete: true, incomplete_reason: 'no_close_notify', cached: true };
    expect(await fetched(line, 'x:/a')).toMatchObject(flag);
    expect(await fetched(line, 'x:/a', { offset: 3 })).toMatchObject({ ...flag, text: 'lo' });
    expect(protocol.exchanges).toBe(1);
  });

  test('never crosses identities: an answer is kept under the one that was presented', async () => {
    const line = pipeline();
    protocol.answer = () => {
      const asked = protocol.identity;
      return Promise.resolve({ ...page(`for ${asked}`), variant: asked } as Exchange<Doc>);
    };
    protocol.identity = 'ada';
    expect(await fetched(line, 'x:/a')).toMatchObject({ text: 'for ada' });
    protocol.identity = '';
    expect(await fetched(line, 'x:/a')).toMatchObject({ text: 'for ', cached: false });
    protocol.identity = 'ada';
    expect(await fetched(line, 'x:/a')).toMatchObject({ text: 'for ada', cached: true });
  });

  test('forgets a host whose pin changed', async () => {
    const line = pipeline({ maxChars: 3 });
    await fetched(line, 'x:/a');
    await line.evictHost('host.test', 8);
    expect(await fetched(line, 'x:/a')).toMatchObject({ cached: true });
    await line.evictHost('host.test', 7);
    expect(await fetched(line, 'x:/a', { offset: 3 })).toMatchObject({ cached: false });
  });

  test('turned off, nothing is kept, held or shared', async () => {
    const line = pipeline({ cacheEnabled: false, maxChars: 3 });
    await Promise.all([fetched(line, 'x:/a'), fetched(line, 'x:/a'), fetched(line, 'x:/a', { offset: 3 })]);
    expect(protocol.exchanges).toBe(3);
    expect(pages.pages.size).toBe(0);
  });
});

describe('guards', () => {
  test('robots comes before the cache: a rule withholds what was cached before', async () => {
    const line = pipeline({ robots: true });
    await fetched(line, 'x:/a');
    clock.advance(61_000);
    protocol.robots = () => Promise.resolve({ kind: 'policy', text: 'User-agent: *\nDisallow: /a' });
    expect(await fetched(line, 'x:/a')).toMatchObject({ error: { code: 'BLOCKED_BY_ROBOTS' } });
    expect(protocol.exchanges).toBe(1);
  });

  test('the probe and its fetch share one turn and one look-up', async () => {
    const line = pipeline({ robots: true, requestsPerMinute: 60 });
    expect(await fetched(line, 'x:/a')).toMatchObject({ text: 'hello' });
    expect([protocol.probes, protocol.exchanges, lookups]).toEqual([1, 1, 1]);
    expect(clock.monotonicMs()).toBe(0);
  });

  test('waiting for a turn costs no wire time', async () => {
    const line = pipeline({ requestsPerMinute: 15, cacheEnabled: false });
    await fetched(line, 'x:/a');
    const second = fetched(line, 'x:/b');
    await clock.pass(4000);
    expect(await second).toMatchObject({ text: 'hello' });
  });

  test('a slot is given back however the exchange ends', async () => {
    const line = pipeline({ maxConcurrent: 1, cacheEnabled: false });
    protocol.answer = () => Promise.reject(new Error('a bug'));
    expect(await fetched(line, 'x:/a')).toMatchObject({ error: { code: 'FETCH_ERROR', reason: 'internal' } });
    protocol.answer = () => Promise.resolve(page('fine'));
    expect(await fetched(line, 'x:/a')).toMatchObject({ text: 'fine' });
  });

  test('an internal fault tells its cause to the log alone', async () => {
    protocol.answer = () => Promise.reject(new Error('secret detail'));
    const result = await fetched(pipeline(), 'x:/a');
    expect(JSON.stringify(result)).not.toContain('secret detail');
    expect(records[0]?.cause).toMatchObject({ message: 'secret detail' });
  });

  test('a cancelled caller gets an answer at once, and nothing stays behind', async () => {
    const line = pipeline();
    protocol.answer = ({ deadline }) =>
      new Promise((_resolve, reject) =>
        deadline.signal.addEventListener('abort', () => reject(asError(deadline.signal.reason))),
      );
    const caller = new AbortController();
    const running = line.fetch(call('x:/a'), caller.signal, CONTEXT);
    await settled();
    caller.abort();
    expect(parsePayload(await running)).toMatchObject({ error: { code: 'FETCH_ERROR', reason: 'cancelled' } });
    await settled();
    expect(clock.pendingTimers).toBe(0);
  });

  test('a URL that is refused is echoed without its query', async () => {
    expect(await fetched(pipeline(), 'y:/a?secret')).toMatchObject({ request_info: { url: 'y:/a' } });
  });
});

describe('the bound on the bytes of a result', () => {
  test('counts what every page gets beside its window', async () => {
    let given: WindowBounds | undefined;
    const line = pipeline({ maxBytes: 4096 });
    protocol.render = (_document, _request, bounds) => {
      given = bounds;
      return { members: { kind: 'text', text: 'x'.repeat(bounds.maxBytes - 25) }, nextOffset: null };
    };
    const result = await line.fetch(call('x:/a'), forever, CONTEXT);
    expect(given?.maxBytes).toBeLessThan(4096);
    const bytes = compactJson(result).length;
    expect(bytes).toBeLessThanOrEqual(4096);
    expect(bytes).toBeGreaterThan(3900);
  });
});

describe('what an observer learns', () => {
  test('how long a download waited for its turn and for a slot, whatever came of it', async () => {
    const line = pipeline({ requestsPerMinute: 60, maxConcurrent: 1 });
    const all = Promise.all([fetched(line, 'x:/a'), fetched(line, 'x:/b')]);
    await clock.pass(1000);
    await all;
    protocol.answer = () => Promise.resolve({ kind: 'failure', failure: failure('FETCH_ERROR', 'no') });
    const failed = fetched(line, 'x:/c');
    await clock.pass(1000);
    await failed;
    const told = (cause: FetchWait['cause']): number[] =>
      waits.filter((wait) => wait.cause === cause).map(({ durationMs }) => durationMs);
    expect([told('pacing'), told('slot')]).toEqual([
      [0, 1000, 1000],
      [0, 0, 0],
    ]);
    expect(new Set(waits.map(({ protocol: name }) => name))).toEqual(new Set(['scripted']));
  });

  test('nothing of waits when the answer is stored', async () => {
    const line = pipeline();
    await fetched(line, 'x:/a');
    waits = [];
    await fetched(line, 'x:/a');
    expect(waits).toEqual([]);
  });

  test('who stands in line, who has a slot, and who waits for one', async () => {
    const answers: (() => void)[] = [];
    protocol.answer = () => new Promise((resolve) => answers.push(() => resolve(page('late'))));
    const line = pipeline({ maxConcurrent: 1 });
    expect(load()).toEqual({ pacing: 0, slotsTaken: 0, slotsWaiting: 0, slots: 1 });
    const all = Promise.all([fetched(line, 'x:/a'), fetched(line, 'x:/b')]);
    await settled();
    expect(load()).toEqual({ pacing: 0, slotsTaken: 1, slotsWaiting: 1, slots: 1 });
    for (let answered = 0; answered < 2; answered++) {
      answers.shift()?.();
      await settled();
    }
    await all;
    const paced = pipeline({ requestsPerMinute: 60 });
    protocol.answer = () => Promise.resolve(page('hello'));
    const others = Promise.all([fetched(paced, 'x:/c'), fetched(paced, 'x:/d'), fetched(paced, 'x:/e')]);
    await settled();
    expect(load()).toEqual({ pacing: 2, slotsTaken: 0, slotsWaiting: 0, slots: 0 });
    await clock.pass(2000);
    await others;
    expect(load().pacing).toBe(0);
  });
});

describe('batches', () => {
  test('results keep the order of the URLs, and progress counts what is finished', async () => {
    const line = pipeline();
    const seen: number[] = [];
    const urls = ['x:/a', 'bad', 'x:/c'];
    const results = await line.fetchAll(
      urls.map((url) => call(url)),
      forever,
      (finished) => void seen.push(finished),
      CONTEXT,
    );
    expect(results.map(({ kind }) => kind)).toEqual(['text', 'error', 'text']);
    expect(seen).toEqual([1, 2, 3]);
  });

  test('what does not end within the longest wait and one wire time together ends as a time-out', async () => {
    const line = pipeline({ requestsPerMinute: 15, cacheEnabled: false });
    const urls = ['x:/1', 'x:/2', 'x:/3', 'x:/4'];
    const running = line.fetchAll(
      urls.map((url) => call(url)),
      forever,
      () => undefined,
      CONTEXT,
    );
    await clock.pass(20_000);
    const results = (await running).map(parsePayload);
    expect(results.slice(0, 2)).toMatchObject([{ kind: 'text' }, { kind: 'text' }]);
    expect(results.slice(2).every(({ kind }) => kind === 'error')).toBe(true);
    await settled();
    expect(clock.pendingTimers).toBe(0);
  });
});
