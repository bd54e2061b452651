/** Settings of what replicas share: variables `GOPHER_MCP_REDIS_*`. */
import { IsOptional, IsString, Matches, ValidateBy } from 'class-validator';
import { Setting, type SettingKind } from './setting.js';

/** Effective settings, and their injection token. */
export class RedisConfig {
  @Setting(
    redisUrl(),
    'Redis that replicas share, e.g. `rediss://user:password@redis.example:6380/0`; `rediss:` is TLS. Pages, pacing, robots policies and sessions are then those of all replicas. Unset = this process stands alone.',
    { secret: true },
  )
  readonly redisUrl: string | null = null;

  @Setting(keyPrefix(), 'Start of all keys and channels in Redis. Replicas with the same one are one server.')
  readonly redisPrefix: string = 'gopher-mcp:';
}

function redisUrl(): SettingKind {
  const message = 'must be redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE], or rediss:// for TLS';
  return {
    summary: 'redis: or rediss: URL',
    requirement: message,
    read: (text) => text.trim(),
    rules: [
      IsOptional(),
      ValidateBy({ name: 'redisUrl', validator: { validate: isRedisUrl, defaultMessage: () => message } }),
    ],
    blankIsUnset: true,
    isLocal: true,
  };
}

function keyPrefix(): SettingKind {
  const message = 'must be 1 to 64 letters, digits and any of . _ : - with no braces';
  return {
    summary: '1 to 64 of A-Z a-z 0-9 . _ : -',
    requirement: message,
    read: (text) => text.trim(),
    rules: [IsString({ message }), Matches(/^[A-Za-z0-9._:-]{1,64}$/, { message })],
    blankIsUnset: true,
    isLocal: true,
  };
}

function isRedisUrl(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol, hostname, pathname, search, hash } = new URL(value);
  const isPlain = search === '' && hash === '' && /^\/?[0-9]{0,5}$/.test(pathname);
  return (protocol === 'redis:' || protocol === 'rediss:') && hostname !== '' && isPlain;
}
