import { beforeEach, describe, expect, test } from '@jest/globals';
import type { AuditSink } from '../../../src/audit/audit-sink.port.js';
import { AuditTrail, MAX_WAITING_CHARS, RETRY_AFTER_MS } from '../../../src/audit/audit-trail.js';
import { ChainCheck } from '../../../src/audit/core/chain-check.js';
import { CHAIN_START, HashChain, LineHash, type ChainLink } from '../../../src/audit/core/chain.js';
import type { CallStart } from '../../../src/common/call-observer.port.js';
import { sessionDigest } from '../../../src/common/session-digest.js';
import { LOCAL_PRINCIPAL } from '../../../src/common/principal.js';
import { FakeClock, settled } from '../../support/fake-clock.js';
import { memoryLog, type MemoryLog } from '../../support/memory-log.js';

/** Takes what it is told to take. */
class MemorySink implements AuditSink {
  text = '';
  noted: ChainLink | undefined;
  isClosed = false;
  /** Set: nothing is taken. */
  fault: Error | undefined;
  /** Set: writes wait for it. */
  gate: Promise<void> | undefined;
  maxBytes = Infinity;
  writes = 0;

  async append(bytes: Buffer): Promise<number> {
    await this.gate;
    if (this.fault) throw this.fault;
    this.writes += 1;
    const piece = bytes.subarray(0, this.maxBytes);
    this.text += piece.toString();
    return piece.length;
  }

  async note(link: ChainLink): Promise<void> {
    await this.gate;
    if (this.fault) throw this.fault;
    this.noted = link;
  }

  close(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }

  get lines(): Record<string, unknown>[] {
    return this.text
      .split('\n')
      .slice(0, -1)
      .map((line): Record<string, unknown> => JSON.parse(line));
  }
}

const CALL: CallStart = {
  method: 'resources/read',
  principal: LOCAL_PRINCIPAL,
  origin: { address: undefined, requestId: undefined },
  client: undefined,
  session: 'session-1',
  revision: undefined,
  rpcId: 1,
  trace: undefined,
  tool: null,
  isKnownTool: false,
  targets: ['gemini://example.org/'],
  targetCount: 1,
};
const DONE = { outcome: 'ok', code: undefined, bytes: 1, failedItems: 0 } as const;
const full = Object.assign(new Error('no space'), { code: 'ENOSPC' });

let sink: MemorySink;
let clock: FakeClock;
let log: MemoryLog;

beforeEach(() => {
  sink = new MemorySink();
  clock = new FakeClock();
  log = memoryLog();
});

const open = (chain: HashChain | null = null): AuditTrail =>
  new AuditTrail({ sink, chain, clock, log, version: '1.2.3' });
const events = (): unknown[] => sink.lines.map(({ event }) => event);

describe('the audit', () => {
  test('has a line for the start, for each call that ended, and for the stop', async () => {
    const trail = open();
    const call = trail.begin(CALL);
    clock.advance(250);
    call.end(DONE);
    trail.turnedAway({ why: 'quota', reason: 'tenant quota', status: 429, origin: CALL.origin });
    await trail.close();
    expect(events()).toEqual(['start', 'call', 'quota', 'stop']);
    expect(sink.lines[1]).toMatchObject({
      ms: 250,
      session: sessionDigest('session-1'),
      target: 'gemini://example.org/',
    });
    expect(sink.text).not.toContain('session-1');
    expect({ written: trail.written, lost: trail.lost, isClosed: sink.isClosed }).toEqual({
      written: 4,
      lost: 0,
      isClosed: true,
    });
  });

  test('keeps nobody waiting, and writes what waits at once', async () => {
    let release = (): void => undefined;
    sink.gate = new Promise((resolve) => (release = resolve));
    const trail = open();
    for (let i = 0; i < 100; i++) trail.begin(CALL).end(DONE);
    expect(sink.text).toBe('');
    release();
    await trail.close();
    expect(sink.lines).toHaveLength(102);
    expect(sink.writes).toBeLessThan(5);
  });

  test('goes on where a write was cut short', async () => {
    sink.maxBytes = 7;
    const trail = open();
    trail.begin(CALL).end(DONE);
    await trail.close();
    expect(events()).toEqual(['start', 'call', 'stop']);
  });

  test('takes a line that comes when everything is written', async () => {
    const trail = open();
    await settled();
    trail.begin(CALL).end(DONE);
    await settled();
    expect(events()).toEqual(['start', 'call']);
  });
});

describe('while lines cannot be written', () => {
  test('it is told once, tried every second, and nothing is lost up to the bound', async () => {
    sink.fault = full;
    const trail = open();
    await settled();
    trail.begin(CALL).end(DONE);
    await clock.pass(RETRY_AFTER_MS * 3);
    expect(trail.isFailing).toBe(true);
    expect(log.events('error')).toEqual(['audit lines cannot be written']);
    sink.fault = undefined;
    await clock.pass(RETRY_AFTER_MS);
    expect(trail.isFailing).toBe(false);
    expect(log.events('info')).toEqual(['audit lines are written again']);
    expect(events()).toEqual(['start', 'call']);
    expect(trail.lost).toBe(0);
  });

  test('lines beyond the bound are lost, and the audit says how many', async () => {
    sink.fault = full;
    const trail = open();
    const call: CallStart = { ...CALL, targets: ['x'.repeat(512)] };
    const fits = Math.ceil(MAX_WAITING_CHARS / 600);
    for (let i = 0; i < 2 * fits; i++) trail.begin(call).end(DONE);
    await settled();
    expect(trail.lost).toBeGreaterThan(0);
    sink.fault = undefined;
    await clock.pass(RETRY_AFTER_MS);
    expect(sink.lines.at(-1)).toMatchObject({ event: 'gap', lost: trail.lost });
    expect(sink.lines.length).toBe(trail.written);
    expect(trail.written - 2 + trail.lost).toBe(2 * fits);
  });

  test('a stop does not wait, and says what is lost', async () => {
    sink.fault = full;
    const trail = open();
    await settled();
    await trail.close();
    expect(log.events('error')).toContain('audit lines lost at the stop');
    expect(clock.pendingTimers).toBe(0);
  });
});

describe('with a chain', () => {
  const check = () => {
    const checking = new ChainCheck(new LineHash(null));
    for (const line of sink.text.split('\n').slice(0, -1)) checking.push(line);
    return checking.report();
  };

  test('each line has its seal, and the last one is noted', async () => {
    const trail = open(new HashChain(new LineHash(null), CHAIN_START));
    trail.begin(CALL).end(DONE);
    await trail.close();
    expect(check()).toMatchObject({ lines: 3, firstSeq: 1, broken: null });
    expect(sink.noted).toEqual(check().last);
  });

  test('a gap breaks nothing', async () => {
    const trail = open(new HashChain(new LineHash(null), CHAIN_START));
    await settled();
    sink.fault = full;
    trail.begin(CALL).end(DONE);
    await settled();
    sink.fault = undefined;
    await clock.pass(RETRY_AFTER_MS);
    await trail.close();
    expect(check()).toMatchObject({ lines: 3, broken: null });
  });
});
