/** The servers of test/realservers, as an end-to-end test sees them: started beforehand, on loopback. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/** Gemini servers whose certificate can be changed. */
export type GeminiServer = 'molly' | 'jetforce' | 'agate' | 'expired' | 'notyet';

/** What `servers.mjs start` wrote down. */
export interface RealServers {
  readonly host: string;
  readonly ports: Readonly<Record<GeminiServer | 'gophernicus' | 'pygopherd' | 'redis', number>>;
  /** The folders served, to compare answers with the bytes on disk. */
  readonly gopherRoot: string;
  readonly geminiRoot: string;
  /** SHA-256 of the certificates now in use, lowercase hex. */
  readonly fingerprints: Readonly<Record<GeminiServer, string>>;
}

/** Reads the present state; throws when the servers were never started. */
export function readRealServers(): RealServers {
  const folder = process.env['REALSERVERS_DIR'] ?? path.join(tmpdir(), 'gopher-mcp-realservers');
  try {
    return JSON.parse(readFileSync(path.join(folder, 'servers.json'), 'utf8'));
  } catch (cause) {
    throw new Error('real servers are not running: see test/realservers/README.md', { cause });
  }
}

/** A new key and certificate, and a restart. */
export async function rotateCertificate(server: GeminiServer): Promise<void> {
  await command('rotate', server);
}

/** Lets a client certificate (SHA-256 of the DER, lowercase hex) into molly-brown's /certzone/. */
export async function admitClientCertificate(fingerprint: string): Promise<void> {
  await command('admit', fingerprint);
}

async function command(...args: readonly string[]): Promise<void> {
  const script = path.resolve(import.meta.dirname, '../realservers/servers.mjs');
  await promisify(execFile)(process.execPath, [script, ...args]);
}
