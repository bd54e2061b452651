import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Principal } from '../../../src/common/principal.js';
import { Sessions } from '../../../src/mcp/transports/http/sessions.js';
import { FakeClock } from '../../support/fake-clock.js';

const DECLARED = { capabilities: {}, clientInfo: { name: 'test', version: '0' } };
const caller = (tenant: string, subject: string): Principal => ({ tenant, subject, scopes: new Set() });
const ALICE = caller('acme', 'alice');
const BOB = caller('acme', 'bob');
const NAMESAKE = caller('other', 'alice');

let clock: FakeClock;
let sessions: Sessions;

beforeEach(() => {
  clock = new FakeClock();
  sessions = new Sessions({ maxSessions: 4, ttlMs: 1000, clock });
});

describe('a session', () => {
  test('is there for its owner alone, whatever the owner may do now', () => {
    const { id } = sessions.open(DECLARED, ALICE);
    expect(sessions.touch(id, { ...ALICE, scopes: new Set(['smallweb:read']) })?.id).toBe(id);
    for (const stranger of [BOB, NAMESAKE]) {
      expect(sessions.touch(id, stranger)).toBeUndefined();
      expect(sessions.end(id, stranger)).toBe(false);
    }
    expect(sessions.end(id, ALICE)).toBe(true);
    expect(sessions.touch(id, ALICE)).toBeUndefined();
  });

  test('lapses unless its owner uses it; others do not keep it alive', () => {
    const { id } = sessions.open(DECLARED, ALICE);
    clock.advance(900);
    expect(sessions.touch(id, ALICE)).toBeDefined();
    clock.advance(900);
    sessions.touch(id, BOB);
    clock.advance(101);
    expect(sessions.touch(id, ALICE)).toBeUndefined();
    expect(sessions.size).toBe(0);
  });
});

describe('too many sessions', () => {
  test('cost whoever has the most the one unused for longest', () => {
    const bobs = sessions.open(DECLARED, BOB).id;
    const alices = Array.from({ length: 3 }, () => sessions.open(DECLARED, ALICE).id);
    sessions.touch(alices[0] ?? '', ALICE);
    for (let i = 0; i < 100; i++) sessions.open(DECLARED, ALICE);
    expect(sessions.size).toBe(4);
    expect(sessions.touch(bobs, BOB)).toBeDefined();
    expect(sessions.touch(alices[0] ?? '', ALICE)).toBeUndefined();
  });

  test('make room by those that lapsed first', () => {
    for (let i = 0; i < 4; i++) sessions.open(DECLARED, ALICE);
    clock.advance(1001);
    sessions.open(DECLARED, BOB);
    expect(sessions.size).toBe(1);
  });
});
