import { describe, expect, test } from '@jest/globals';
import { chooseLocations, dataDirectory, legacyPaths } from '../../../../src/file-store/core/state-locations.js';

const NOTHING_SET = { trustFile: null, identityDirectory: null };
const NO_LEGACY = { trustFile: false, identityDirectory: false };
const LINUX = { env: {}, platform: 'linux', home: '/home/u' } as const;

describe('dataDirectory', () => {
  test.each([
    ['an absolute XDG_DATA_HOME', { XDG_DATA_HOME: '/x' }, 'linux', '/home/u', '/x/gopher-mcp'],
    ['XDG_DATA_HOME on macOS too', { XDG_DATA_HOME: '/x/' }, 'darwin', '/Users/u', '/x/gopher-mcp'],
    ['XDG_DATA_HOME on Windows too', { XDG_DATA_HOME: 'D:\\x' }, 'win32', 'C:\\u', 'D:\\x\\gopher-mcp'],
    ['no home needed with XDG_DATA_HOME', { XDG_DATA_HOME: '/x' }, 'linux', null, '/x/gopher-mcp'],
    ['not a relative XDG_DATA_HOME', { XDG_DATA_HOME: 'x' }, 'linux', '/home/u', '/home/u/.local/share/gopher-mcp'],
    ['not a blank XDG_DATA_HOME', { XDG_DATA_HOME: '' }, 'linux', '/home/u', '/home/u/.local/share/gopher-mcp'],
    [
      'not a rooted path without drive',
      { XDG_DATA_HOME: '\\x' },
      'win32',
      'C:\\u',
      'C:\\u\\AppData\\Local\\gopher-mcp',
    ],
    ['LOCALAPPDATA', { LOCALAPPDATA: 'C:\\l', APPDATA: 'C:\\r' }, 'win32', 'C:\\u', 'C:\\l\\gopher-mcp'],
    ['APPDATA without LOCALAPPDATA', { LOCALAPPDATA: '', APPDATA: 'C:\\r' }, 'win32', null, 'C:\\r\\gopher-mcp'],
    ['the home on Windows', {}, 'win32', 'C:\\u\\', 'C:\\u\\AppData\\Local\\gopher-mcp'],
    ['no LOCALAPPDATA elsewhere', { LOCALAPPDATA: '/l' }, 'linux', '/home/u', '/home/u/.local/share/gopher-mcp'],
    ['Application Support on macOS', {}, 'darwin', '/Users/u', '/Users/u/Library/Application Support/gopher-mcp'],
    ['.local/share on other systems', {}, 'freebsd', '/home/u', '/home/u/.local/share/gopher-mcp'],
    ['a root home', {}, 'linux', '/', '/.local/share/gopher-mcp'],
    ['nothing without a home', {}, 'linux', null, null],
    ['nothing with a blank home', {}, 'darwin', '', null],
    ['nothing without a home on Windows', {}, 'win32', null, null],
  ] as const)('is %s', (_, env, platform, home, expected) => {
    expect(dataDirectory({ env, platform, home })).toBe(expected);
  });
});

describe('chooseLocations', () => {
  test('puts both into the data directory, which is then ours', () => {
    expect(chooseLocations(LINUX, NOTHING_SET, NO_LEGACY)).toEqual({
      trustFile: '/home/u/.local/share/gopher-mcp/tofu.json',
      identityDirectory: '/home/u/.local/share/gopher-mcp/certs',
      ownDirectory: '/home/u/.local/share/gopher-mcp',
    });
  });

  test('uses an older pin file in place, and judges the identities by themselves', () => {
    expect(chooseLocations(LINUX, NOTHING_SET, { trustFile: true, identityDirectory: false })).toEqual({
      trustFile: '/home/u/.gemini/tofu.json',
      identityDirectory: '/home/u/.local/share/gopher-mcp/certs',
      ownDirectory: null,
    });
  });

  test('uses older identities in place, and judges the pin file by itself', () => {
    expect(chooseLocations(LINUX, NOTHING_SET, { trustFile: false, identityDirectory: true })).toEqual({
      trustFile: '/home/u/.local/share/gopher-mcp/tofu.json',
      identityDirectory: '/home/u/.gemini/certs',
      ownDirectory: '/home/u/.local/share/gopher-mcp',
    });
  });

  test('lets settings beat both', () => {
    const settings = { trustFile: '/t/pins', identityDirectory: '/t/ids' };
    expect(chooseLocations(LINUX, settings, { trustFile: true, identityDirectory: true })).toEqual({
      ...settings,
      ownDirectory: null,
    });
  });

  test('takes a blank setting for none', () => {
    const settings = { trustFile: ' ', identityDirectory: '' };
    expect(chooseLocations(LINUX, settings, NO_LEGACY)?.trustFile).toBe('/home/u/.local/share/gopher-mcp/tofu.json');
  });

  test('needs no home when both are set, and fails when one is not', () => {
    const homeless = { ...LINUX, home: null };
    const both = { trustFile: '/t/pins', identityDirectory: '/t/ids' };
    expect(chooseLocations(homeless, both, NO_LEGACY)).toEqual({ ...both, ownDirectory: null });
    expect(chooseLocations(homeless, { ...both, identityDirectory: null }, NO_LEGACY)).toBeNull();
  });
});

test('legacyPaths are those of the home, in the spelling of the platform', () => {
  expect(legacyPaths({ env: {}, platform: 'win32', home: 'C:\\u' })?.trustFile).toBe('C:\\u\\.gemini\\tofu.json');
  expect(legacyPaths({ env: {}, platform: 'linux', home: null })).toBeNull();
});
