/**
 * Before a run of Jest: a folder for what test/support/traffic.ts writes down. After it: whether a secret that was sent to a server came
 * out of that server, in a result or in its log at INFO or above. Then the run has failed, whatever its tests say.
 *
 * At DEBUG the log may hold search terms of Gopher, which docs/operations.md says; and the echo of a Gopher URL is the URL, as clients of
 * gopher-mcp 0.10 expect.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const VARIABLE = 'TEST_TRAFFIC_FOLDER';

export default function globalSetup() {
  process.env[VARIABLE] = mkdtempSync(path.join(tmpdir(), 'gopher-mcp-traffic-'));
}

export function globalTeardown() {
  const folder = process.env[VARIABLE];
  if (folder === undefined) return;
  const found = [];
  for (const file of readdirSync(folder)) found.push(...leaksIn(readFileSync(path.join(folder, file), 'utf8')));
  rmSync(folder, { recursive: true, force: true });
  if (found.length > 0)
    throw new Error(`secrets came out of a server:\n${[...new Set(found)].slice(0, 20).join('\n')}`);
}

/** One line for each secret of a record that came out. */
export function leaksIn(text) {
  const records = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  const secrets = new Map();
  for (const { secret, protocol, kind } of records) if (secret !== undefined) secrets.set(secret, { protocol, kind });
  const results = records.filter(({ result }) => result !== undefined).map(({ result }) => result);
  const log = records.map(({ log: piece }) => piece ?? '').join('');
  const lines = log
    .split('\n')
    .filter((line) => !isDebug(line))
    .join('\n');
  const echoes = JSON.stringify(results);
  const withoutGopher = JSON.stringify(results, (name, value) => (isGopherEcho(name, value) ? undefined : value));
  const found = [];
  for (const [secret, { protocol, kind }] of secrets) {
    const mayEcho = protocol === 'gopher' && kind === 'query';
    for (const spelling of spellings(secret)) {
      if (lines.includes(spelling))
        found.push(`${kind} ${JSON.stringify(secret)} in a log: ${around(lines, spelling)}`);
      const shown = mayEcho ? withoutGopher : echoes;
      if (shown.includes(spelling))
        found.push(`${kind} ${JSON.stringify(secret)} in a result: ${around(shown, spelling)}`);
    }
  }
  return found;
}

function isDebug(line) {
  return /"level":"debug"/.test(line) || /\bdebug\b/i.test(line.slice(0, 60));
}

/** URL, selector and uri of Gopher, and links back to it. */
function isGopherEcho(name, value) {
  return typeof value === 'string' && (name === 'selector' || /^gopher:/i.test(value));
}

/** As it was given, decoded, encoded, and as JSON has it. */
function spellings(secret) {
  const all = new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]);
  try {
    all.add(decodeURIComponent(secret));
  } catch {
    // Not an escape.
  }
  return [...all].filter((one) => one.trim().length >= 6);
}

function around(text, part) {
  const at = text.indexOf(part);
  return JSON.stringify(text.slice(Math.max(0, at - 100), at + part.length + 60));
}
