/** What `npm start` and `npm test` take for installed: scripts/install.mjs, which runs before any package is there. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

type Packages = Record<string, { readonly version?: string; readonly optional?: boolean }>;

const { isInstalled } = await import(pathToFileURL(path.resolve('scripts/install.mjs')).href);

const LOCKED: Packages = {
  '': {},
  'node_modules/one': { version: '1.0.0' },
  'node_modules/one/node_modules/two': { version: '2.0.0' },
  'node_modules/for-another-platform': { version: '3.0.0', optional: true },
};

let root: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'gopher-mcp-install-'));
});

afterEach(async () => {
  await rm(root, { recursive: true });
});

async function write(file: string, packages: Packages): Promise<void> {
  await mkdir(path.dirname(path.join(root, file)), { recursive: true });
  await writeFile(path.join(root, file), JSON.stringify({ lockfileVersion: 3, packages }));
}

test.each<[string, Packages | null, boolean]>([
  ['nothing is there', null, false],
  ['everything is there', LOCKED, true],
  ['only what belongs to another platform is missing', { ...LOCKED, 'node_modules/for-another-platform': {} }, true],
  ['a package has another version', { ...LOCKED, 'node_modules/one': { version: '1.0.1' } }, false],
  ['a nested package is missing', { 'node_modules/one': { version: '1.0.0' } }, false],
  ['something more is there', { ...LOCKED, 'node_modules/more': { version: '1.0.0' } }, true],
])('when %s', async (_case, present, expected) => {
  await write('package-lock.json', LOCKED);
  if (present !== null) await write('node_modules/.package-lock.json', present);
  expect(isInstalled(root)).toBe(expected);
});

test('a record that cannot be read counts as nothing', async () => {
  await write('package-lock.json', LOCKED);
  await write('node_modules/.package-lock.json', LOCKED);
  await writeFile(path.join(root, 'node_modules/.package-lock.json'), '{"packages":');
  expect(isInstalled(root)).toBe(false);
});
