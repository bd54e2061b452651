import { describe, expect, test } from '@jest/globals';
import { stateLocations, type Machine } from '../../../src/config/state-locations.js';

const NOTHING_SET = { trustStore: null, clientCerts: null };

function trustStore(environment: Record<string, string>, machine: Machine): (string | null)[] {
  const { legacy, standard } = stateLocations(environment, machine, NOTHING_SET).trustStore;
  return [legacy, standard];
}

describe('the data directory', () => {
  test.each<[string, Machine, Record<string, string>, string | null]>([
    ['Linux', { platform: 'linux', home: '/home/me' }, {}, '/home/me/.local/share/gopher-mcp/tofu.json'],
    ['XDG', { platform: 'linux', home: '/home/me' }, { XDG_DATA_HOME: '/data' }, '/data/gopher-mcp/tofu.json'],
    [
      'XDG on macOS',
      { platform: 'darwin', home: '/Users/me' },
      { XDG_DATA_HOME: '/data' },
      '/data/gopher-mcp/tofu.json',
    ],
    [
      'relative XDG',
      { platform: 'linux', home: '/home/me' },
      { XDG_DATA_HOME: 'data' },
      '/home/me/.local/share/gopher-mcp/tofu.json',
    ],
    [
      'empty XDG',
      { platform: 'linux', home: '/home/me' },
      { XDG_DATA_HOME: '' },
      '/home/me/.local/share/gopher-mcp/tofu.json',
    ],
    [
      'macOS',
      { platform: 'darwin', home: '/Users/me' },
      {},
      '/Users/me/Library/Application Support/gopher-mcp/tofu.json',
    ],
    [
      'Windows',
      { platform: 'win32', home: 'C:\\Users\\me' },
      { LOCALAPPDATA: 'C:\\L', APPDATA: 'C:\\R' },
      'C:\\L\\gopher-mcp\\tofu.json',
    ],
    [
      'Windows, roaming',
      { platform: 'win32', home: 'C:\\Users\\me' },
      { APPDATA: 'C:\\R' },
      'C:\\R\\gopher-mcp\\tofu.json',
    ],
    [
      'Windows, home only',
      { platform: 'win32', home: 'C:\\Users\\me' },
      {},
      'C:\\Users\\me\\AppData\\Local\\gopher-mcp\\tofu.json',
    ],
    ['HOME', { platform: 'linux', home: null }, { HOME: '/h' }, '/h/.local/share/gopher-mcp/tofu.json'],
    ['no home, XDG', { platform: 'linux', home: null }, { XDG_DATA_HOME: '/data' }, '/data/gopher-mcp/tofu.json'],
    ['nothing known', { platform: 'linux', home: null }, {}, null],
  ])('%s', (_, machine, environment, standard) => {
    expect(trustStore(environment, machine)[1]).toBe(standard);
  });
});

test.each<[Machine, Record<string, string>, string | null]>([
  [{ platform: 'linux', home: '/home/me' }, { XDG_DATA_HOME: '/data' }, '/home/me/.gemini/tofu.json'],
  [{ platform: 'win32', home: null }, { USERPROFILE: 'C:\\Users\\me' }, 'C:\\Users\\me\\.gemini\\tofu.json'],
  [{ platform: 'linux', home: null }, { XDG_DATA_HOME: '/data' }, null],
])('the earlier place is below the home directory: %j', (machine, environment, legacy) => {
  expect(trustStore(environment, machine)[0]).toBe(legacy);
});

test('each place has its own configured path and names', () => {
  const configured = { trustStore: '/t.json', clientCerts: null };
  const { clientCerts, trustStore: pins } = stateLocations({}, { platform: 'linux', home: '/h' }, configured);
  expect(pins.configured).toBe('/t.json');
  expect(clientCerts).toEqual({
    configured: null,
    legacy: '/h/.gemini/certs',
    standard: '/h/.local/share/gopher-mcp/certs',
  });
});
