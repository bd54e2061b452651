/**
 * Where pins and identities are kept.
 *
 * A setting wins. Else an entry of the older `<home>/.gemini` is used in place, for ever: it is never created, moved or
 * migrated, and each of the two is judged by itself. Else the per-user data directory of the platform.
 */

/** What the choice depends on, as plain values. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** The user's home directory; null when nothing names one. */
  readonly home: string | null;
}

/** The two things that are kept. */
export interface StatePaths<T> {
  /** The pin file, `tofu.json`. */
  readonly trustFile: T;
  /** The folder of identities, `certs`. */
  readonly identityDirectory: T;
}

/** Where they are. */
export interface StateLocations extends StatePaths<string> {
  /** The data directory when the pin file lies in it, to be made private at start; null otherwise: it is not ours. */
  readonly ownDirectory: string | null;
}

/**
 * The per-user data directory. First that applies:
 * 1. `$XDG_DATA_HOME/gopher-mcp` when that is an absolute path, on any platform;
 * 2. Windows: `%LOCALAPPDATA%\gopher-mcp`, `%APPDATA%\gopher-mcp`, `<home>\AppData\Local\gopher-mcp`;
 * 3. macOS: `<home>/Library/Application Support/gopher-mcp`;
 * 4. `<home>/.local/share/gopher-mcp`.
 *
 * Null when it would need a home and there is none.
 */
export function dataDirectory({ env, platform, home }: Surroundings): string | null {
  const xdg = env['XDG_DATA_HOME'] ?? '';
  if (isAbsolute(platform, xdg)) return joinPath(platform, xdg, FOLDER);
  if (platform === 'win32') {
    const local = env['LOCALAPPDATA'] || env['APPDATA'] || (home && joinPath(platform, home, 'AppData', 'Local'));
    return local ? joinPath(platform, local, FOLDER) : null;
  }
  if (!home) return null;
  return platform === 'darwin'
    ? joinPath(platform, home, 'Library', 'Application Support', FOLDER)
    : joinPath(platform, home, '.local', 'share', FOLDER);
}

/** The older places; null without a home. */
export function legacyPaths({ platform, home }: Surroundings): StatePaths<string> | null {
  if (!home) return null;
  return {
    trustFile: joinPath(platform, home, '.gemini', TRUST_FILE),
    identityDirectory: joinPath(platform, home, '.gemini', IDENTITY_DIRECTORY),
  };
}

/**
 * Chooses.
 *
 * @param settings paths set by the operator; null or blank = the default
 * @param legacyExists which of {@link legacyPaths} exist
 * @returns null when a default is needed and no home is known
 */
export function chooseLocations(
  surroundings: Surroundings,
  settings: StatePaths<string | null>,
  legacyExists: StatePaths<boolean>,
): StateLocations | null {
  const { platform } = surroundings;
  const data = dataDirectory(surroundings);
  const legacy = legacyPaths(surroundings);
  const choose = (set: string | null, older: string | null, name: string): string | null =>
    (set?.trim() ? set : older) ?? (data && joinPath(platform, data, name));

  const trustFile = choose(settings.trustFile, legacyExists.trustFile ? (legacy?.trustFile ?? null) : null, TRUST_FILE);
  const identityDirectory = choose(
    settings.identityDirectory,
    legacyExists.identityDirectory ? (legacy?.identityDirectory ?? null) : null,
    IDENTITY_DIRECTORY,
  );
  if (trustFile === null || identityDirectory === null) return null;
  const isDefault = data !== null && trustFile === joinPath(platform, data, TRUST_FILE);
  return { trustFile, identityDirectory, ownDirectory: isDefault ? data : null };
}

const FOLDER = 'gopher-mcp';
const TRUST_FILE = 'tofu.json';
const IDENTITY_DIRECTORY = 'certs';

function isAbsolute(platform: NodeJS.Platform, path: string): boolean {
  return platform === 'win32' ? /^([A-Za-z]:[\\/]|[\\/]{2})/.test(path) : path.startsWith('/');
}

function joinPath(platform: NodeJS.Platform, base: string, ...names: readonly string[]): string {
  const separator = platform === 'win32' ? '\\' : '/';
  const trimmed = platform === 'win32' ? base.replace(/[\\/]+$/, '') : base.replace(/\/+$/, '');
  return [trimmed, ...names].join(separator);
}
