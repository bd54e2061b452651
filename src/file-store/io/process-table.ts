/** This process and others, as far as a lock needs to know them. */
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { performance } from 'node:perf_hooks';
import { kill, pid } from 'node:process';
import { hostLabel, type LockOwner, type ProcessSighting } from '../core/lock-owner.js';
import { errorCode } from './file-system.js';

/** Processes of this host. */
export interface ProcessTable {
  /** This process. */
  self(): Promise<LockOwner>;
  look(pid: number): Promise<ProcessSighting>;
}

/** Asks the kernel. Start times of other processes are known on Linux only, from /proc. */
export class NodeProcessTable implements ProcessTable {
  #self: Promise<LockOwner> | undefined;

  self(): Promise<LockOwner> {
    return (this.#self ??= describeSelf());
  }

  async look(other: number): Promise<ProcessSighting> {
    try {
      kill(other, 0);
    } catch (error) {
      // EPERM: it runs, as another user.
      if (errorCode(error) !== 'EPERM') return { running: false };
    }
    const stat = await readProcStat(other);
    // A zombie has ended; only its parent has not noticed yet.
    if (stat?.state === 'Z' || stat?.state === 'X') return { running: false };
    return { running: true, started: stat?.started ?? null };
  }
}

async function describeSelf(): Promise<LockOwner> {
  const [stat, boot, namespace] = await Promise.all([
    readProcStat(pid),
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    readlink('/proc/self/ns/pid').catch(() => ''),
  ]);
  const scope = [hostLabel(hostname()), boot.trim(), namespace.replaceAll(/\D/g, '')].filter((part) => part !== '');
  return {
    pid,
    started: stat?.started ?? String(Math.round(performance.timeOrigin)),
    host: scope.join('_') || 'localhost',
  };
}

/** State and start (clock ticks since boot) of a process; null where there is no /proc, or it is gone. */
async function readProcStat(of: number): Promise<{ readonly state: string; readonly started: string } | null> {
  const line = await readFile(`/proc/${of}/stat`, 'latin1').catch(() => '');
  // Field 2, the name, is in parentheses and may hold spaces and parentheses: count from the last one. See proc(5).
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const [state, started] = [fields[0], fields[19]];
  return state === undefined || started === undefined ? null : { state, started };
}
