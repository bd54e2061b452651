/**
 * The pace of each host as all replicas keep it together: {@link decideStart} as a script, on the clock of Redis.
 *
 * Those who stand in line at another replica count as well, for who arrives here: each replica leaves word of how many it has, which
 * lapses soon after it would have asked again, so that a replica that dies is not waited for. What becomes of the line itself is as
 * before; the first of each line asks, and whoever asks first starts.
 *
 * A start counts from when it was decided, unless the reply came so late that the next start elsewhere could be too close: then Redis is
 * told that it was now.
 *
 * Every start and pause is noted in this process too. Without Redis its own spacing goes on from there; and what only this process
 * knows, because Redis was away or lost its memory, holds there again from the next question on.
 */
import type { Clock } from '../common/clock.port.js';
import { listOf, numberOf, textOf, type Redis, type RedisReply, type RedisScript } from '../state/index.js';
import type { PaceDecision, PaceRequest } from './core/pacing-schedule.js';
import type { MemoryPacingStore } from './memory-pacing-store.js';
import type { PacingStore } from './pacing-store.port.js';

/** Whose pace it is. */
export interface RedisPacingOptions {
  /** Paces of different protocols are kept apart. */
  readonly protocol: string;
  /** Tells this process from all others. */
  readonly replica: string;
}

/** Part of the interval by which a start may come later than it was decided. */
const TOLERATED_PART = 0.02;

/** See the file's header. */
export class RedisPacingStore implements PacingStore {
  constructor(
    private readonly redis: Redis,
    private readonly own: MemoryPacingStore,
    private readonly clock: Clock,
    private readonly options: RedisPacingOptions,
  ) {}

  async reserve(host: string, request: PaceRequest): Promise<PaceDecision> {
    const { intervalMs, ahead, waitedMs, admitted, maxOwnWaitMs, maxHostWaitMs, standing = 1 } = request;
    const known = this.own.remaining(host);
    const args = [
      ...[intervalMs, ahead, waitedMs, Number(admitted), maxOwnWaitMs, maxHostWaitMs].map(String),
      ...[known.ownMs, known.pauseMs, standing].map(String),
      this.options.replica,
    ];
    const askedMs = this.clock.monotonicMs();
    const reply = await this.redis.quick.run(RESERVE, [this.#key(host)], args);
    const told = reply.ok ? readReply(reply.value) : undefined;
    if (told === undefined) return this.own.reserve(host, request);
    if (told.decision.kind === 'start') {
      this.own.started(host, intervalMs);
      const isLate = this.clock.monotonicMs() - askedMs > intervalMs * TOLERATED_PART;
      if (isLate && intervalMs > 0) void this.redis.quick.run(STARTED, [this.#key(host)], [String(intervalMs)]);
    }
    await this.own.penalise(host, told.pauseMs);
    return told.decision;
  }

  async penalise(host: string, pauseMs: number): Promise<void> {
    await this.own.penalise(host, pauseMs);
    await this.redis.quick.run(PENALISE, [this.#key(host)], [String(pauseMs)]);
  }

  #key(host: string): string {
    return this.redis.key('pace', host, this.options.protocol);
  }
}

/** What the script gave; undefined when it makes no sense. */
function readReply(reply: RedisReply): { readonly decision: PaceDecision; readonly pauseMs: number } | undefined {
  const [kind, waited, pause] = listOf(reply) ?? [];
  const [waitMs, pauseMs] = [numberOf(waited), numberOf(pause)];
  if (waitMs === undefined || pauseMs === undefined) return undefined;
  switch (textOf(kind)) {
    case 'start':
      return { decision: { kind: 'start' }, pauseMs };
    case 'wait':
      return { decision: { kind: 'wait', waitMs }, pauseMs };
    case 'own_pacing':
    case 'host_asked':
      return {
        decision: {
          kind: 'refuse',
          reason: textOf(kind) === 'host_asked' ? 'host_asked' : 'own_pacing',
          retryAfterMs: waitMs,
        },
        pauseMs,
      };
    case undefined:
    default:
      return undefined;
  }
}

/**
 * Fields of a host: `own` and `host` are the two instants of a pace, and `w:` + replica says how many stand in line there and until
 * when that holds.
 */
const COMMON = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + time[2] / 1000
  local function text(number) return string.format('%.3f', number) end
`;

const RESERVE: RedisScript = {
  name: 'pacing reserve',
  source: `${COMMON}
  local key, interval, ahead, waited = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
  local admitted, max_own, max_host = ARGV[4] == '1', tonumber(ARGV[5]), tonumber(ARGV[6])
  local standing, me = tonumber(ARGV[9]), 'w:' .. ARGV[10]
  local own, host, others, lapse = now, now, 0, now
  local fields = redis.call('HGETALL', key)
  for i = 1, #fields, 2 do
    local name, value = fields[i], fields[i + 1]
    if name == 'own' then own = tonumber(value)
    elseif name == 'host' then host = tonumber(value)
    elseif name ~= me then
      local count, lapses = string.match(value, '^(%d+) (.+)$')
      if not count or tonumber(lapses) <= now then redis.call('HDEL', key, name)
      else
        others = others + tonumber(count)
        lapse = math.max(lapse, tonumber(lapses))
      end
    end
  end

  -- What the asker knows was noted a little later than here: only what is clearly more is news.
  if now + ARGV[7] > own + 50 then own = now + ARGV[7] end
  if now + ARGV[8] > host + 50 then host = now + ARGV[8] end

  local free = math.max(now, host)
  local line = ahead
  if not admitted then line = ahead + others end
  local start = math.max(free, own) + line * interval
  local wait, pause = start - now, free - now
  local kind = 'start'
  if pause > max_host or (pause > 0 and waited + pause > math.max(max_host, max_own)) then kind = 'host_asked'
  elseif not admitted and start > free and wait > max_own then kind = 'own_pacing'
  elseif ahead > 0 or math.max(free, own) > now then
    kind = 'wait'
    wait = math.max(free, own) + ahead * interval - now
  else own = now + interval end

  if kind ~= 'wait' then standing = standing - 1 end
  local word = math.max(wait, interval) + 2000
  if standing > 0 then
    redis.call('HSET', key, me, standing .. ' ' .. text(now + word))
    lapse = math.max(lapse, now + word)
  else redis.call('HDEL', key, me) end
  if own > now or host > now then redis.call('HSET', key, 'own', text(own), 'host', text(host)) end
  local last = math.max(own, host, lapse) - now
  if last > 0 then redis.call('PEXPIRE', key, math.ceil(last)) else redis.call('DEL', key) end
  return { kind, text(wait), text(pause) }
`,
};

const STARTED: RedisScript = {
  name: 'pacing started',
  source: `${COMMON}
  local own = now + ARGV[1]
  redis.call('HSET', KEYS[1], 'own', text(own))
  if redis.call('PTTL', KEYS[1]) < own - now then redis.call('PEXPIRE', KEYS[1], math.ceil(own - now)) end
  return 1
`,
};

const PENALISE: RedisScript = {
  name: 'pacing penalise',
  source: `${COMMON}
  local pause = tonumber(ARGV[1])
  if pause <= 0 then return 0 end
  local host = math.max(tonumber(redis.call('HGET', KEYS[1], 'host') or 0), now + pause)
  redis.call('HSET', KEYS[1], 'host', text(host))
  if redis.call('PTTL', KEYS[1]) < host - now then redis.call('PEXPIRE', KEYS[1], math.ceil(host - now)) end
  return 1
`,
};
