/**
 * Where pins and identities are kept when no setting says otherwise: in the per-user data directory, or where earlier versions
 * put them if something is there. Pure: whether a file exists is the store's to find out.
 */
import { posix, win32 } from 'node:path';
import type { Environment } from './environment.js';

/** The two places. */
export interface StateLocations {
  readonly trustStore: StateLocation;
  readonly clientCerts: StateLocation;
}

/** Injection token of {@link StateLocations}. */
export const StateLocations = Symbol('StateLocations');

/** Candidates for one place. `configured` is used when set; else `legacy` if it exists; else `standard`. */
export interface StateLocation {
  /** The operator's own path. */
  readonly configured: string | null;
  /** In `~/.gemini`: used in place when it exists, never created or moved. Null when no home directory is known. */
  readonly legacy: string | null;
  /** In the data directory, which is ours: its mode is 0700. Null when neither it nor a home directory is known. */
  readonly standard: string | null;
}

/** Facts of the machine that locations depend on. */
export interface Machine {
  /** `process.platform`. */
  readonly platform: string;
  /** What the operating system calls the home directory; null when it names none. */
  readonly home: string | null;
}

/** The candidates, from the two path settings and the environment (XDG_DATA_HOME, LOCALAPPDATA, APPDATA, HOME, USERPROFILE). */
export function stateLocations(
  environment: Environment,
  machine: Machine,
  configured: { readonly trustStore: string | null; readonly clientCerts: string | null },
): StateLocations {
  const path = machine.platform === 'win32' ? win32 : posix;
  const home = machine.home ?? given(environment['HOME']) ?? given(environment['USERPROFILE']);
  const data = dataDirectory(environment, machine.platform, home);
  const below = (folder: string | null, ...names: string[]): string | null =>
    folder === null ? null : path.join(folder, ...names);
  return {
    trustStore: {
      configured: configured.trustStore,
      legacy: below(home, '.gemini', 'tofu.json'),
      standard: below(data, 'tofu.json'),
    },
    clientCerts: {
      configured: configured.clientCerts,
      legacy: below(home, '.gemini', 'certs'),
      standard: below(data, 'certs'),
    },
  };
}

/** The per-user data directory; null when nothing tells where it would be. */
function dataDirectory(environment: Environment, platform: string, home: string | null): string | null {
  const path = platform === 'win32' ? win32 : posix;
  const xdg = given(environment['XDG_DATA_HOME']);
  if (xdg !== null && path.isAbsolute(xdg)) return path.join(xdg, 'gopher-mcp');
  if (platform === 'win32') {
    const local = given(environment['LOCALAPPDATA']) ?? given(environment['APPDATA']);
    if (local !== null) return path.join(local, 'gopher-mcp');
    return home === null ? null : path.join(home, 'AppData', 'Local', 'gopher-mcp');
  }
  if (home === null) return null;
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'gopher-mcp');
  return path.join(home, '.local', 'share', 'gopher-mcp');
}

/** An empty variable says nothing. */
function given(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}
