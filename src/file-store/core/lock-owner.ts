/**
 * Who holds a lock, and whether that process still lives.
 *
 * A process id alone says little: ids are reused, containers all have a process 1, and a shared home directory is seen by
 * many machines. So an owner is a process id, the start of that process, and the host with its boot and process-id
 * namespace. Death is concluded only where it can be seen; everything else is `unknown`, and left to the lock's age.
 */

/** A process, as a lock names it. */
export interface LockOwner {
  readonly pid: number;
  /** When it started: digits in a unit of the platform's, comparable only on the same host. */
  readonly started: string;
  /** Host name, boot and process-id namespace: what makes process ids comparable. Letters, digits, `.`, `_`, `-`. */
  readonly host: string;
}

/** What a look at a process id showed. */
export type ProcessSighting =
  | { readonly running: false }
  /** `started` as in {@link LockOwner}; null where the platform does not tell. */
  | { readonly running: true; readonly started: string | null };

/** What can be said of an owner. */
export type OwnerVerdict = 'alive' | 'dead' | 'unknown';

/** The name of the entry that marks a lock as `owner`'s. `nonce` (lower-case hex) makes it the mark of one single hold. */
export function ownerMark(owner: LockOwner, nonce: string): string {
  return `${owner.pid}.${owner.started}.${nonce}.${owner.host}`;
}

/** The owner that a mark names; null when it is no mark of ours. */
export function parseOwnerMark(mark: string): LockOwner | null {
  const [, pid, started, host] = /^(\d{1,10})\.(\d{1,20})\.[0-9a-f]+\.([\w.-]+)$/.exec(mark) ?? [];
  return pid === undefined || started === undefined || host === undefined ? null : { pid: Number(pid), started, host };
}

/** `name` reduced to what {@link LockOwner.host} may hold, 64 characters at most. */
export function hostLabel(name: string): string {
  return name.slice(0, 64).replaceAll(/[^\w.-]/g, '_');
}

/**
 * Judges an owner.
 *
 * @param self the process that asks
 * @param seen what a look at the owner's process id on this host showed
 */
export function judgeOwner(owner: LockOwner, self: LockOwner, seen: ProcessSighting): OwnerVerdict {
  if (owner.host !== self.host) return 'unknown';
  if (!seen.running) return 'dead';
  const started = owner.pid === self.pid ? self.started : seen.started;
  if (started === null) return 'unknown';
  return started === owner.started ? 'alive' : 'dead';
}
