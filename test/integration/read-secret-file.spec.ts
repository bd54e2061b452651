/** Secrets out of real files: what is read, and what is told when it cannot be. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readSecretFile } from '../../src/bin/read-secret-file.js';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';

let folder: TemporaryFolder;
beforeAll(async () => void (folder = await temporaryFolder()));
afterAll(() => folder.remove());

function file(name: string, content: string): string {
  const path = join(folder.path, name);
  writeFileSync(path, content, { mode: 0o600 });
  return path;
}

test('a file is read whole, as it is', () => {
  const read = readSecretFile(file('secret', 'line\n'));
  expect(read.ok && Buffer.from(read.value).toString()).toBe('line\n');
});

test.each([
  ['is not there', () => join(folder.path, 'missing'), 'ENOENT'],
  ['is a folder', () => folder.path, 'EISDIR'],
  ['has no end', () => '/dev/zero', 'too large'],
  ['has a name that no file has', () => 'a\0b', 'ERR_INVALID_ARG_VALUE'],
])('what %s is told by a word', (_, path, error) => {
  expect(readSecretFile(path())).toEqual({ ok: false, error });
});

test('64 KiB are a secret, one byte more is none', () => {
  expect(readSecretFile(file('large', 'x'.repeat(65_536)))).toMatchObject({ ok: true });
  expect(readSecretFile(file('larger', 'x'.repeat(65_537)))).toEqual({ ok: false, error: 'too large' });
});
