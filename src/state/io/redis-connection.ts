/**
 * The one connection to Redis, on which everything shared depends and nothing may hang.
 *
 * What the client library does by default would queue commands while Redis is away and answer them minutes later. Here a command is
 * sent or refused at once. A quick call that gets no reply in time closes the way for those after it, so that a Redis in trouble costs
 * one wait and not one for each step of each call; a heartbeat, which also writes, opens it again. The heartbeat waits longer than a
 * quick call to tell a slow Redis from one that is gone, but only a beat that was quick enough counts as recovery.
 */
import { createHash } from 'node:crypto';
import { createClient } from '@keyv/redis';
import type { Clock } from '../../common/clock.port.js';
import { err, ok, type Result } from '../../common/result.js';
import { asError } from '../../common/thrown.js';
import { sharedKey } from '../core/keys.js';
import type { RedisReply } from '../core/replies.js';
import { errorWord, troubleOf, type RedisTrouble } from '../core/trouble.js';
import {
  PATIENT_MS,
  QUICK_MS,
  type Redis,
  type RedisArgument,
  type RedisCalls,
  type RedisScript,
  type RedisVitals,
} from '../redis.port.js';

/** Where Redis is, and who is told. */
export interface RedisConnectionOptions {
  /** `redis:` or `rediss:`, with user, password and database where needed. */
  readonly url: string;
  /** Start of all keys and channels. */
  readonly prefix: string;
  readonly clock: Clock;
  /** Told when trouble begins and when it is over. @param detail a code, never an address or a text of the library */
  readonly onChange: (trouble: RedisTrouble | null, detail: string | undefined) => void;
}

type Answer = Result<RedisReply, RedisTrouble>;

/** Time between two heartbeats. */
const BEAT_EVERY_MS = 400;

/** After a wait in vain the way stays closed so long at least: a Redis that is quick now and then costs one wait a second. */
const PAUSE_MS = 1000;

/** A timer that is looked at so late tells of a busy process. */
const BUSY_MS = 5;

/** A connection that says nothing for so long, heartbeats included, is given up. */
const SILENT_MS = 1500;

/** Longest wait for a connection to be made, and between two tries. */
const CONNECT_WITHIN_MS = 1000;
const RETRY_WITHIN_MS = 1000;

/** How long a start waits for the first connection. */
const FIRST_CONNECT_WITHIN_MS = 250;

/** Between two tries of a patient call that Redis does not take yet. */
const ASK_AGAIN_MS = 50;

/** More commands than ever wait in an orderly moment; beyond, they are refused. */
const MAX_QUEUE = 20_000;

/** Texts (`+`) and blobs (`$`) of the protocol come as buffers. */
const AS_BUFFERS = { 36: Buffer, 43: Buffer };

/** See the file's header. */
export class RedisConnection implements Redis {
  readonly quick: RedisCalls;
  readonly patient: RedisCalls;
  #client: ReturnType<typeof makeClient>;
  readonly #options: RedisConnectionOptions;
  readonly #digests = new WeakMap<RedisScript, string>();
  readonly #calls = { ok: 0, skipped: 0, away: 0, late: 0, full: 0, refused: 0 };
  readonly #onReady = new Set<() => void>();
  #trouble: RedisTrouble | null = 'away';
  #isTold = false;
  #closedUntilMs = 0;
  #subscriber: ReturnType<typeof makeClient> | undefined;
  #cancelBeat: (() => void) | undefined;
  #closed = false;

  private constructor(options: RedisConnectionOptions) {
    this.#options = options;
    this.#client = this.#connect();
    this.quick = this.#callsWith((send) => this.#quickly(send));
    this.patient = this.#callsWith((send) => this.#patiently(send));
  }

  /** Connects, and goes on trying for as long as it takes. Resolves when connected, or after a moment without. Never rejects. */
  static async open(options: RedisConnectionOptions): Promise<RedisConnection> {
    const connection = new RedisConnection(options);
    await connection.#untilReady(FIRST_CONNECT_WITHIN_MS);
    return connection;
  }

  get vitals(): RedisVitals {
    return { trouble: this.#trouble, calls: { ...this.#calls } };
  }

  key(kind: string, slot: string, rest = ''): string {
    return sharedKey(this.#options.prefix, kind, slot, rest);
  }

  publish(channel: string, message: RedisArgument): void {
    void this.quick.command('PUBLISH', this.#options.prefix + channel, message);
  }

  subscribe(channel: string, listener: (message: Buffer) => void): () => void {
    const subscriber = (this.#subscriber ??= this.#openSubscriber());
    const name = this.#options.prefix + channel;
    // While it is not connected, the client keeps the wish and subscribes when it is.
    subscriber.subscribe(name, listener, true).catch(noop);
    return () => void subscriber.unsubscribe(name, listener, true).catch(noop);
  }

  close(): void {
    this.#closed = true;
    this.#cancelBeat?.();
    for (const client of [this.#client, this.#subscriber]) if (client?.isOpen) client.destroy();
  }

  #callsWith(ask: (send: () => Promise<RedisReply>) => Promise<Answer>): RedisCalls {
    return {
      command: (...parts) => ask(() => this.#client.sendCommand<RedisReply>(parts, TYPED)),
      run: (script, keys, args) => ask(() => this.#evaluate(script, keys, args)),
    };
  }

  async #quickly(send: () => Promise<RedisReply>): Promise<Answer> {
    if (this.#trouble !== null && this.#trouble !== 'full') {
      this.#calls.skipped++;
      return err(this.#trouble);
    }
    const answer = await this.#within(QUICK_MS, send());
    this.#calls[answer.ok ? 'ok' : answer.error]++;
    if (!answer.ok && answer.error !== 'refused') this.#enter(answer.error, undefined);
    return answer;
  }

  /** Waits for a connection, but sends a command once: whether one that got no reply was done is not known. */
  async #patiently(send: () => Promise<RedisReply>): Promise<Answer> {
    const { clock } = this.#options;
    const endMs = clock.monotonicMs() + PATIENT_MS;
    for (;;) {
      await this.#untilReady(endMs - clock.monotonicMs());
      const leftMs = endMs - clock.monotonicMs();
      if (!this.#client.isReady || leftMs <= 0) return err('away');
      const sent = send();
      const answer = await this.#within(leftMs, sent);
      if (answer.ok || answer.error !== 'away' || !(await isReply(sent))) return answer;
      await new Promise<void>((resolve) => void clock.setTimer(ASK_AGAIN_MS, resolve));
    }
  }

  /**
   * Waits for a reply. A busy moment of this process is not held against Redis: a timer that is looked at late may be looked at before
   * the command went out, and before a reply that has come in, so it then gives half as much time again.
   */
  #within(limitMs: number, sent: Promise<RedisReply>): Promise<Answer> {
    const { clock } = this.#options;
    return new Promise((resolve) => {
      const giveUp = (): void => void setImmediate(() => resolve(err('late')));
      const dueMs = clock.monotonicMs() + limitMs;
      let cancelTimer = clock.setTimer(limitMs, () => {
        if (clock.monotonicMs() - dueMs < BUSY_MS) giveUp();
        else cancelTimer = clock.setTimer(limitMs / 2, giveUp);
      });
      sent.then(
        (reply) => {
          cancelTimer();
          resolve(ok(reply));
        },
        (error: unknown) => {
          cancelTimer();
          resolve(err(this.#judge(error)));
        },
      );
    });
  }

  async #evaluate(script: RedisScript, keys: readonly string[], args: readonly RedisArgument[]): Promise<RedisReply> {
    const operands = [String(keys.length), ...keys, ...args];
    try {
      return await this.#client.sendCommand<RedisReply>(['EVALSHA', this.#digest(script), ...operands], TYPED);
    } catch (error) {
      if (errorWord(asError(error).message) !== 'NOSCRIPT') throw error;
      return this.#client.sendCommand<RedisReply>(['EVAL', script.source, ...operands], TYPED);
    }
  }

  #digest(script: RedisScript): string {
    const known = this.#digests.get(script);
    if (known !== undefined) return known;
    const digest = createHash('sha1').update(script.source).digest('hex');
    this.#digests.set(script, digest);
    return digest;
  }

  #judge(error: unknown): RedisTrouble {
    const { message } = asError(error);
    // Another node takes the changes now: the name leads there, the connection does not.
    if (errorWord(message) === 'READONLY') this.#reconnect();
    return troubleOf(message);
  }

  #connect(): ReturnType<typeof makeClient> {
    const client = makeClient(this.#options.url);
    client.on('error', (error: unknown) => {
      if (client === this.#client) this.#enter('away', detailOf(error));
    });
    client.on('ready', () => {
      for (const wake of this.#onReady) wake();
      this.#beat();
    });
    client.connect().catch(noop);
    return client;
  }

  /** Makes the connection anew; what waits on the old one is still answered there. */
  #reconnect(): void {
    if (this.#closed || !this.#client.isReady) return;
    const old = this.#client;
    this.#client = this.#connect();
    old.close().catch(noop);
  }

  /** Opens the way again when Redis takes a change in time. */
  #beat(): void {
    this.#cancelBeat?.();
    if (this.#closed) return;
    const { clock, prefix } = this.#options;
    this.#cancelBeat = clock.setTimer(BEAT_EVERY_MS, () => this.#beat());
    if (!this.#client.isReady) return;
    const sent = this.#client.sendCommand<RedisReply>(['SET', `${prefix}heartbeat`, '1', 'PX', '10000'], TYPED);
    void this.#within(QUICK_MS, sent).then((answer) => {
      if (answer.ok) this.#recover();
      else this.#enter(answer.error, undefined);
    });
  }

  #recover(): void {
    this.#isTold = true;
    if (this.#trouble === null || this.#closed || this.#options.clock.monotonicMs() < this.#closedUntilMs) return;
    this.#trouble = null;
    this.#options.onChange(null, undefined);
  }

  #enter(trouble: RedisTrouble, detail: string | undefined): void {
    if (trouble === 'late') this.#closedUntilMs = this.#options.clock.monotonicMs() + PAUSE_MS;
    // Nothing is known before the first attempt; that it failed is news as well.
    const isNews = this.#trouble === null || !this.#isTold;
    this.#trouble = trouble;
    this.#isTold = true;
    if (isNews && !this.#closed) this.#options.onChange(trouble, detail);
  }

  async #untilReady(limitMs: number): Promise<void> {
    if (this.#client.isReady || limitMs <= 0) return;
    await new Promise<void>((resolve) => {
      const finish = (): void => {
        this.#onReady.delete(finish);
        cancelTimer();
        resolve();
      };
      const cancelTimer = this.#options.clock.setTimer(limitMs, finish);
      this.#onReady.add(finish);
    });
  }

  #openSubscriber(): ReturnType<typeof makeClient> {
    const subscriber = makeClient(this.#options.url, BEAT_EVERY_MS);
    // What is wrong shows in the other connection; here it only means that messages are missed.
    subscriber.on('error', noop);
    subscriber.connect().catch(noop);
    return subscriber;
  }
}

const TYPED = { typeMapping: AS_BUFFERS };

function makeClient(url: string, pingInterval?: number) {
  return createClient({
    url,
    disableOfflineQueue: true,
    disableClientInfo: true,
    commandsQueueMaxLength: MAX_QUEUE,
    ...(pingInterval !== undefined && { pingInterval }),
    socket: {
      connectTimeout: CONNECT_WITHIN_MS,
      socketTimeout: SILENT_MS,
      reconnectStrategy: (tries) => Math.min(50 * 2 ** tries, RETRY_WITHIN_MS),
    },
  });
}

/** Whether Redis answered that it does not take the command now, so that it can be sent again. */
async function isReply(sent: Promise<RedisReply>): Promise<boolean> {
  try {
    await sent;
    return true;
  } catch (error) {
    return errorWord(asError(error).message) !== null;
  }
}

/** A code such as ECONNREFUSED or WRONGPASS. */
function detailOf(error: unknown): string | undefined {
  const { message, name } = asError(error);
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : (errorWord(message) ?? name);
}

function noop(): void {
  // What is wrong shows in the events.
}
