/** Versions and clock of this machine. */
import type { CommandContext } from '../command-context.js';
import { broken, doubtful, fine, type Finding } from './finding.js';

/** No clock that is right shows a time before this: certificates of today would count as not yet valid. */
const EARLIEST_MS = Date.UTC(2026, 0, 1);
/** Nor one that is fifty years ahead. */
const LATEST_MS = Date.UTC(2076, 0, 1);

/** See the file's header. */
export function checkMachine({ version, nodeVersion, platform, clock }: CommandContext): Finding[] {
  return [fine('version', `gopher-mcp ${version} on ${platform}`), checkNode(nodeVersion), checkClock(clock.nowMs())];
}

/** The ranges of package.json, `engines`. */
function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isSupported = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major >= 24;
  return isSupported
    ? fine('Node.js', version)
    : doubtful('Node.js', `${version} is not a supported version`, 'Install Node.js 20.19, 22.12, 24 or newer.');
}

function checkClock(nowMs: number): Finding {
  const shown = new Date(nowMs).toISOString();
  return nowMs >= EARLIEST_MS && nowMs < LATEST_MS
    ? fine('clock', shown)
    : broken('clock', `it shows ${shown}`, 'Set the clock: the dates of certificates are judged by it.');
}
