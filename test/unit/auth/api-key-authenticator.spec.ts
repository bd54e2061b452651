import { beforeEach, describe, expect, test } from '@jest/globals';
import { ApiKeyAuthenticator, LOOK_EVERY_MS } from '../../../src/auth/api-key-authenticator.js';
import { composeApiKey, hashApiKey } from '../../../src/auth/core/api-key.js';
import type { ApiKeyRecord } from '../../../src/auth/core/api-key-record.js';
import { fail, type Failure } from '../../../src/common/error-codes.js';
import { ok, type Result } from '../../../src/common/result.js';
import { FakeClock } from '../../support/fake-clock.js';

const { id, key } = composeApiKey(Buffer.alloc(6, 1), Buffer.alloc(32, 2));
const RECORD: ApiKeyRecord = {
  hash: hashApiKey(key),
  tenant: 'acme',
  subject: 'bot',
  scopes: ['smallweb:read'],
  createdMs: 0,
  expiresMs: null,
  revokedMs: null,
};
const UNREADABLE = fail('CERTIFICATE_STORE_UNAVAILABLE', 'damaged');

let clock: FakeClock;
let content: Result<ReadonlyMap<string, ApiKeyRecord>, Failure>;
let reads: number;
let warnings: Failure[];
let authenticator: ApiKeyAuthenticator;

beforeEach(() => {
  clock = new FakeClock();
  content = ok(new Map([[id, RECORD]]));
  reads = 0;
  warnings = [];
  const store = { readAll: () => Promise.resolve((reads++, content)) };
  authenticator = new ApiKeyAuthenticator(store, clock, (failure) => void warnings.push(failure));
});

const present = (text = key) => authenticator.authenticate({ kind: 'api-key', text });

describe('API keys', () => {
  test('stand for their principal', async () => {
    expect(await present()).toMatchObject({ ok: true, value: { tenant: 'acme', subject: 'bot' } });
  });

  test('are read once for all requests of a second', async () => {
    await Promise.all([present(), present(), present()]);
    clock.advance(LOOK_EVERY_MS - 1);
    await present();
    expect(reads).toBe(1);
    clock.advance(1);
    await present();
    expect(reads).toBe(2);
  });

  test('are refused within a second of being revoked', async () => {
    await present();
    content = ok(new Map([[id, { ...RECORD, revokedMs: clock.nowMs() }]]));
    clock.advance(LOOK_EVERY_MS);
    expect(await present()).toMatchObject({ ok: false, error: { kind: 'invalid' } });
  });

  test('that are unknown, wrong or no keys get the same answer', async () => {
    const other = composeApiKey(Buffer.alloc(6, 9), Buffer.alloc(32, 2)).key;
    const wrong = composeApiKey(Buffer.alloc(6, 1), Buffer.alloc(32, 3)).key;
    const answers = await Promise.all([present(other), present(wrong), present('gmcp_x')]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ ok: false, error: { kind: 'invalid' } });
  });

  test('serve on while their file cannot be read, which is told once', async () => {
    await present();
    content = UNREADABLE;
    for (let i = 0; i < 3; i++) {
      clock.advance(LOOK_EVERY_MS);
      expect(await present()).toMatchObject({ ok: true });
    }
    expect(warnings).toHaveLength(1);
  });

  test('cannot be judged while they were never read', async () => {
    content = UNREADABLE;
    expect(await present()).toMatchObject({ ok: false, error: { kind: 'unavailable' } });
  });
});
