import { randomUUID } from 'node:crypto';
import { LruTtlCache } from '../../../common/lru-ttl-cache.js';
import type { Clock } from '../../../common/clock.port.js';
import type { InitializeRequestParams } from '@modelcontextprotocol/server';
import { CallerMemory } from '../../caller.js';

/** What is known of a session. Its memory is bounded, so that a thousand of them cost little. */
export interface Session {
  readonly id: string;
  readonly memory: CallerMemory;
}

/** Sessions of the revisions with a handshake: capped, and gone after a time without use. A client of a lost one starts anew. */
export class Sessions {
  readonly #sessions: LruTtlCache<Session>;
  readonly #ttlMs: number;

  constructor(options: { readonly maxSessions: number; readonly ttlMs: number; readonly clock: Clock }) {
    this.#ttlMs = options.ttlMs;
    this.#sessions = new LruTtlCache({ maxEntries: options.maxSessions, maxBytes: Infinity, clock: options.clock });
  }

  /** Sessions that are kept, lapsed ones that nobody asked for included. */
  get size(): number {
    return this.#sessions.size;
  }

  /**
   * Opens a session; the one unused for longest goes when there are too many.
   *
   * @param declared what its client said of itself
   */
  open({ capabilities, clientInfo }: Pick<InitializeRequestParams, 'capabilities' | 'clientInfo'>): Session {
    const id = randomUUID();
    const session = { id, memory: new CallerMemory(capabilities, { client: clientInfo, session: id }) };
    this.#sessions.set(session.id, session, 1, this.#ttlMs);
    return session;
  }

  /** The session, whose time starts anew. */
  touch(id: string): Session | undefined {
    const session = this.#sessions.get(id);
    if (session) this.#sessions.set(id, session, 1, this.#ttlMs);
    return session;
  }

  /** Whether there was one to end. */
  end(id: string): boolean {
    return this.#sessions.delete(id);
  }
}
