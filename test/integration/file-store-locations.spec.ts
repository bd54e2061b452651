/** Where the stores are on this machine, and the folders that are made private. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { homeDirectory, locateState, makePrivateFolder, nodeFileSystem } from '../../src/file-store/index.js';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';

const NOTHING_SET = { trustFile: null, identityDirectory: null };

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

async function mode(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}

describe('locateState', () => {
  const surroundings = () => ({ env: {}, platform: 'linux', home: folder.path }) as const;

  test('finds the data directory, and makes nothing', async () => {
    const data = join(folder.path, '.local', 'share', 'gopher-mcp');
    expect(await locateState(surroundings(), NOTHING_SET)).toEqual({
      ok: true,
      value: {
        trustFile: join(data, 'tofu.json'),
        identityDirectory: join(data, 'certs'),
        ownDirectory: data,
      },
    });
    await expect(stat(join(folder.path, '.local'))).rejects.toThrow();
  });

  test.each([
    ['the older pin file', 'tofu.json', 'trustFile'],
    ['the older folder of identities, even an empty one', 'certs', 'identityDirectory'],
  ] as const)('finds %s, and leaves the modes as they are', async (_, name, member) => {
    const legacy = join(folder.path, '.gemini');
    await mkdir(legacy, { mode: 0o755 });
    if (name === 'certs') await mkdir(join(legacy, name));
    else await writeFile(join(legacy, name), '{}');
    const located = await locateState(surroundings(), NOTHING_SET);
    const found = located.ok ? located.value : null;
    expect(found?.[member]).toBe(join(legacy, name));
    expect(Object.values(found ?? {}).filter((path) => path?.startsWith(legacy))).toHaveLength(1);
    expect(await mode(legacy)).toBe(0o755);
  });

  test('fails without a home, naming the settings that help', async () => {
    expect(await locateState({ env: {}, platform: 'linux', home: null }, NOTHING_SET)).toMatchObject({
      ok: false,
      error: {
        code: 'CERTIFICATE_STORE_UNAVAILABLE',
        facts: { next_step: expect.stringContaining('GEMINI_TOFU_STORAGE_PATH') },
      },
    });
  });
});

test('homeDirectory is the one that the system names', () => {
  expect(homeDirectory({ HOME: '/elsewhere' })).toBe(homedir());
});

describe('makePrivateFolder', () => {
  test('makes the folder for its owner alone, and parents with the usual mode', async () => {
    const path = join(folder.path, 'a', 'b');
    expect(await makePrivateFolder(path, 'linux')).toBeUndefined();
    expect(await mode(path)).toBe(0o700);
    await mkdir(join(folder.path, 'usual'));
    expect(await mode(join(folder.path, 'a'))).toBe(await mode(join(folder.path, 'usual')));
  });

  test('makes an existing folder private', async () => {
    const path = join(folder.path, 'a');
    await mkdir(path);
    await chmod(path, 0o755);
    expect(await makePrivateFolder(path, 'linux')).toBeUndefined();
    expect(await mode(path)).toBe(0o700);
  });

  test('sets no mode on Windows', async () => {
    const path = join(folder.path, 'a');
    await mkdir(path);
    await chmod(path, 0o755);
    expect(await makePrivateFolder(path, 'win32')).toBeUndefined();
    expect(await mode(path)).toBe(0o755);
  });

  test('tells what went wrong instead of throwing', async () => {
    await writeFile(join(folder.path, 'file'), '');
    expect(await makePrivateFolder(join(folder.path, 'file', 'a'), 'linux')).toMatchObject({ code: 'EEXIST' });
    const readOnly = {
      ...nodeFileSystem,
      chmod: () => Promise.reject(Object.assign(new Error('no'), { code: 'EROFS' })),
    };
    expect(await makePrivateFolder(join(folder.path, 'b'), 'linux', readOnly)).toMatchObject({ code: 'EROFS' });
  });
});
