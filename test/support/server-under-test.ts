/**
 * Which server the tests run, and in what surroundings.
 *
 * By default it is what `npm run build` made, at the path of package.json's `bin`. GOPHER_MCP_ENTRY names another entry
 * file; GOPHER_MCP_COMMAND (words separated by spaces) another program altogether, for instance the server whose
 * answers are recorded in test/fixtures.
 */
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { isObject, lookup, type Json } from './json.js';

/** A program and its arguments. */
export interface ServerCommand {
  readonly program: string;
  readonly args: readonly string[];
}

/** The root of the repository. */
export const REPOSITORY = resolve(import.meta.dirname, '..', '..');

/** The command of the server under test; throws when it has not been built. */
export function serverCommand(): ServerCommand {
  const [program, ...args] = (process.env['GOPHER_MCP_COMMAND'] ?? '').split(' ').filter((word) => word !== '');
  if (program !== undefined) return { program, args };
  const entry = resolve(REPOSITORY, process.env['GOPHER_MCP_ENTRY'] ?? entryOfPackage());
  if (!existsSync(entry)) throw new Error(`${entry} does not exist: run "npm run build" first`);
  return { program: process.execPath, args: [entry] };
}

function entryOfPackage(): string {
  const manifest: Json = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8'));
  const entry = lookup(manifest, 'bin.gopher-mcp') ?? (isObject(manifest) ? manifest['bin'] : undefined);
  if (typeof entry !== 'string') throw new Error('package.json names no bin for gopher-mcp');
  return entry;
}

/** Nothing but what a process needs to run, a home of its own, and `settings`: no variable of the caller leaks in. */
export function serverEnvironment(
  home: string,
  settings: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const environment: Record<string, string> = { HOME: home, XDG_DATA_HOME: join(home, '.local', 'share') };
  for (const name of ['PATH', 'SYSTEMROOT', 'TEMP', 'TMP']) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  return { ...environment, USERPROFILE: home, ...settings };
}

/** Runs `work` with an empty folder that is removed afterwards. */
export async function withScratchFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await makeScratchFolder();
  try {
    return await work(folder);
  } finally {
    await removeScratchFolder(folder);
  }
}

/** An empty folder of its own, for the caller to remove. */
export async function makeScratchFolder(): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), 'gopher-mcp-test-')));
}

/** Removes a folder made by {@link makeScratchFolder}; retries while a dying process still holds a file in it. */
export async function removeScratchFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}
