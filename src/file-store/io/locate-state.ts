/** Finds the places of the stores on this machine, and makes the folders that are to be private. */
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { fail, type Failure } from '../../common/error-codes.js';
import { ok, type Result } from '../../common/result.js';
import {
  chooseLocations,
  legacyPaths,
  type StateLocations,
  type StatePaths,
  type Surroundings,
} from '../core/state-locations.js';
import { errorCode, nodeFileSystem, type FileSystem } from './file-system.js';

/** Mode of folders that are ours: for their owner alone. */
const PRIVATE_FOLDER_MODE = 0o700;

/** The home directory as the system tells it, else HOME or USERPROFILE; null when there is none. */
export function homeDirectory(env: Readonly<Record<string, string | undefined>>): string | null {
  try {
    const home = homedir();
    if (home !== '') return home;
  } catch {
    // No entry for this user: a container with an arbitrary user id.
  }
  return env['HOME'] || env['USERPROFILE'] || null;
}

/**
 * Where the stores are. CERTIFICATE_STORE_UNAVAILABLE when a default is needed and no home is known.
 *
 * @param settings paths set by the operator; null or blank = the default
 */
export async function locateState(
  surroundings: Surroundings,
  settings: StatePaths<string | null>,
  fs: FileSystem = nodeFileSystem,
): Promise<Result<StateLocations, Failure>> {
  const legacy = legacyPaths(surroundings);
  const [trustFile, identityDirectory] = await Promise.all([
    exists(fs, legacy?.trustFile),
    exists(fs, legacy?.identityDirectory),
  ]);
  const locations = chooseLocations(surroundings, settings, { trustFile, identityDirectory });
  if (locations !== null) return ok(locations);
  return fail(
    'CERTIFICATE_STORE_UNAVAILABLE',
    'There is no place for pins and identities: no home directory is known.',
    {
      next_step:
        'Ask the operator to set XDG_DATA_HOME, or GEMINI_TOFU_STORAGE_PATH and GEMINI_CLIENT_CERTS_STORAGE_PATH, to absolute paths.',
    },
  );
}

/**
 * Makes `path` if need be (missing parents with the default mode) and gives it mode 0700, on Windows no mode. Resolves to
 * what went wrong, else undefined: a folder on a read-only disk can still be read.
 */
export async function makePrivateFolder(
  path: string,
  platform: NodeJS.Platform,
  fs: FileSystem = nodeFileSystem,
): Promise<unknown> {
  try {
    await fs.mkdir(dirname(path), { recursive: true });
    await fs.mkdir(path, PRIVATE_FOLDER_MODE).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error;
    });
    if (platform !== 'win32') await fs.chmod(path, PRIVATE_FOLDER_MODE);
    return undefined;
  } catch (cause) {
    return cause;
  }
}

async function exists(fs: FileSystem, path: string | undefined): Promise<boolean> {
  if (path === undefined) return false;
  try {
    await fs.stat(path);
    return true;
  } catch {
    return false;
  }
}
