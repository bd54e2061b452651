/**
 * Sessions of the revisions with a handshake: capped, and gone after a time without use. A client of a lost one starts anew.
 *
 * A session belongs to whoever opened it. To anybody else it does not exist, neither to use nor to end, and asking for it does not
 * keep it alive. When there are too many, the caller with the most loses the one that it has not used for longest: whoever opens
 * thousands drives out its own.
 */
import { randomUUID } from 'node:crypto';
import type { InitializeRequestParams, LoggingLevel } from '@modelcontextprotocol/server';
import type { Clock } from '../../../common/clock.port.js';
import type { Principal } from '../../../common/principal.js';
import { CallerMemory } from '../../caller.js';

/** What is known of a session. Its memory is bounded, so that a thousand of them cost little. */
export interface Session {
  readonly id: string;
  readonly memory: CallerMemory;
}

/** What is known of a session apart from its id and its owner. */
export interface SessionFacts {
  readonly capabilities: InitializeRequestParams['capabilities'];
  readonly client: InitializeRequestParams['clientInfo'];
  readonly logLevel?: LoggingLevel;
}

interface KeptSession extends Session {
  readonly owner: string;
  readonly facts: SessionFacts;
  /** Monotonic milliseconds. */
  expiresAtMs: number;
  /** When other replicas were last told of its use, monotonic milliseconds. */
  sharedAtMs: number;
}

/** See the file's header. */
export class Sessions {
  readonly #maxSessions: number;
  readonly #ttlMs: number;
  readonly #clock: Clock;
  // Maps and sets iterate in insertion order: re-inserting on use keeps what was unused for longest first. All sessions live equally
  // long, so the first to lapse come first as well.
  readonly #sessions = new Map<string, KeptSession>();
  readonly #byOwner = new Map<string, Set<string>>();

  constructor(options: { readonly maxSessions: number; readonly ttlMs: number; readonly clock: Clock }) {
    this.#maxSessions = options.maxSessions;
    this.#ttlMs = options.ttlMs;
    this.#clock = options.clock;
  }

  /** Sessions that are kept, lapsed ones that nobody asked for included. */
  get size(): number {
    return this.#sessions.size;
  }

  /**
   * Opens a session for `owner`.
   *
   * @param declared what its client said of itself
   */
  open(
    { capabilities, clientInfo }: Pick<InitializeRequestParams, 'capabilities' | 'clientInfo'>,
    owner: Principal,
  ): Session {
    return this.adopt(randomUUID(), { capabilities, client: clientInfo }, owner);
  }

  /** Keeps a session that was opened elsewhere. */
  adopt(id: string, facts: SessionFacts, owner: Principal): Session {
    this.#dropLapsed();
    if (this.#sessions.size >= this.#maxSessions) this.#dropOneOfTheLargest();
    const memory = new CallerMemory(facts.capabilities, { client: facts.client, session: id });
    void memory.setLogLevel(facts.logLevel);
    const sharedAtMs = this.#clock.monotonicMs();
    const session = { id, memory, facts, owner: ownerKey(owner), expiresAtMs: 0, sharedAtMs };
    this.#keep(session);
    return session;
  }

  /** Whether `caller` has a session of this id here. */
  knows(id: string, caller: Principal): boolean {
    return this.#find(id, caller) !== undefined;
  }

  /** What is known of a session here; undefined when there is none of this id. */
  factsOf(id: string): SessionFacts | undefined {
    const session = this.#sessions.get(id);
    if (session === undefined) return undefined;
    const { logLevel } = session.memory;
    return { ...session.facts, ...(logLevel !== undefined && { logLevel }) };
  }

  /** Whether it is time to tell other replicas that a session is in use, which is then told. */
  isDueToShare(id: string, everyMs: number): boolean {
    const session = this.#sessions.get(id);
    const nowMs = this.#clock.monotonicMs();
    if (session === undefined || nowMs - session.sharedAtMs < everyMs) return false;
    session.sharedAtMs = nowMs;
    return true;
  }

  /** Forgets a session, whoever owns it. */
  forget(id: string): void {
    const session = this.#sessions.get(id);
    if (session) this.#drop(session);
  }

  /** The session, whose time starts anew; undefined when `caller` has none of this id. */
  touch(id: string, caller: Principal): Session | undefined {
    const session = this.#find(id, caller);
    if (session) this.#keep(session);
    return session;
  }

  /** Whether `caller` had one to end. */
  end(id: string, caller: Principal): boolean {
    const session = this.#find(id, caller);
    if (session) this.#drop(session);
    return session !== undefined;
  }

  #find(id: string, caller: Principal): KeptSession | undefined {
    const session = this.#sessions.get(id);
    if (session === undefined || session.owner !== ownerKey(caller)) return undefined;
    if (this.#clock.monotonicMs() <= session.expiresAtMs) return session;
    this.#drop(session);
    return undefined;
  }

  #keep(session: KeptSession): void {
    const { id, owner } = session;
    session.expiresAtMs = this.#clock.monotonicMs() + this.#ttlMs;
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    const own = this.#byOwner.get(owner) ?? new Set();
    own.delete(id);
    own.add(id);
    this.#byOwner.set(owner, own);
  }

  #drop({ id, owner }: KeptSession): void {
    this.#sessions.delete(id);
    const own = this.#byOwner.get(owner);
    own?.delete(id);
    if (own?.size === 0) this.#byOwner.delete(owner);
  }

  #dropLapsed(): void {
    const nowMs = this.#clock.monotonicMs();
    for (const session of this.#sessions.values()) {
      if (nowMs <= session.expiresAtMs) return;
      this.#drop(session);
    }
  }

  /** Looks at every caller with a session, and only when there is no room: so a caller with many is found without a heap. */
  #dropOneOfTheLargest(): void {
    let largest: ReadonlySet<string> = new Set();
    for (const own of this.#byOwner.values()) if (own.size > largest.size) largest = own;
    const [id = ''] = largest;
    const session = this.#sessions.get(id);
    if (session) this.#drop(session);
  }
}

/** Whose a session is: not what the caller may do, which is looked at with each request. */
export function ownerKey({ tenant, subject }: Principal): string {
  return `${tenant}\0${subject}`;
}
