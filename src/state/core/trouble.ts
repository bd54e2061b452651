/** What an error of Redis means for whoever asked. */

/**
 * Why there is no reply.
 *
 *   away      not connected, restarting, or not the one that takes changes; nothing was done
 *   late      no reply in time; whether the command was done is not known
 *   full      no memory is left for a change; nothing was done
 *   refused   the command is not allowed or makes no sense there; nothing was done
 */
export type RedisTrouble = 'away' | 'late' | 'full' | 'refused';

/** Errors that pass by themselves: the node starts, follows another one, or has lost the ones that it needs. */
const AWAY: ReadonlySet<string> = new Set([
  'LOADING',
  'MASTERDOWN',
  'CLUSTERDOWN',
  'NOREPLICAS',
  'READONLY',
  'TRYAGAIN',
  'UNBLOCKED',
]);

/**
 * The trouble behind an error reply, by its first word. An error without such a word is no reply: the connection ended.
 *
 * @see https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors
 */
export function troubleOf(message: string): RedisTrouble {
  const word = errorWord(message);
  if (word === null || AWAY.has(word)) return 'away';
  return word === 'OOM' ? 'full' : 'refused';
}

/** `OOM` of `OOM command not allowed …`; null where the text does not begin with such a word. */
export function errorWord(message: string): string | null {
  return /^([A-Z]{3,20})(?: |$)/.exec(message)?.[1] ?? null;
}
