/** Each code that a caller can see is promised, and its promise is verified by a test that gets it from a real call. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ERROR_CODES } from '../../src/common/error-codes.js';
import { REQUIREMENTS } from '../requirements.js';
import { REPOSITORY } from '../support/server-under-test.js';
import { VERIFIED_BY, type Evidence } from '../verifies.js';

const TEST = join(REPOSITORY, 'test');
const CODES = Object.keys(ERROR_CODES);

/** Kept because gopher-mcp 0.10 documents it: a header with such a status cannot be read, which is a PROTOCOL_ERROR. */
const NEVER_GIVEN = 'INVALID_STATUS';

/** TLS as we speak it has no suite without a certificate: no server can bring this about, only a fault of the TLS library. */
const NOT_FROM_OUTSIDE = 'CERTIFICATE_UNVERIFIED';

/** Where a test makes calls over a transport, or scripts a peer on loopback. */
const REAL_CALLS = /^(integration|contract|e2e|protocol)\//;

/** Evidence from which a caller would notice that `code` is no longer given. */
function shows(code: string, evidence: Evidence): boolean {
  if ('scenario' in evidence) return textOf(join('fixtures/scenarios', evidence.scenario)).includes(code);
  if ('wire' in evidence) return textOf(join('fixtures/wire', evidence.wire)).includes(code);
  if ('conformance' in evidence) return false;
  return (code === NOT_FROM_OUTSIDE || REAL_CALLS.test(evidence.file)) && textOf(evidence.file).includes(code);
}

function textOf(path: string): string {
  const file = ['.json', '.spec.ts', '.ts'].map((ending) => join(TEST, path + ending)).find(existsSync);
  return file === undefined ? '' : readFileSync(file, 'utf8');
}

/** The promises that name `code`. */
function promisesOf(code: string): Evidence[] {
  const word = new RegExp(`\\b${code}\\b`);
  return Object.entries(VERIFIED_BY).flatMap(([id, evidence]) =>
    id.startsWith('ERROR-') && word.test(REQUIREMENTS[id as keyof typeof REQUIREMENTS]) ? [...evidence] : [],
  );
}

describe('the code', () => {
  test.each(CODES.filter((code) => code !== NEVER_GIVEN))('%s is got from a real call by a test', (code) => {
    const evidence = promisesOf(code);
    expect(evidence).not.toEqual([]);
    expect(evidence.filter((one) => shows(code, one))).not.toEqual([]);
  });

  test(`${NEVER_GIVEN} is given by no code of ours`, () => {
    const sources = readdirSync(join(REPOSITORY, 'src'), { recursive: true, encoding: 'utf8' });
    const naming = sources.filter(
      (file) => file.endsWith('.ts') && readFileSync(join(REPOSITORY, 'src', file), 'utf8').includes(NEVER_GIVEN),
    );
    expect(naming).toEqual([join('common', 'error-codes.ts')]);
  });
});

test('a code without a promise would be noticed', () => {
  expect(promisesOf('NO_SUCH_CODE')).toEqual([]);
  expect(shows('NO_SUCH_CODE', { scenario: 'gemini-redirect' })).toBe(false);
});
