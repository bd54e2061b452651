/** Settings of what outlives the process: variables `GOPHER_MCP_*`. */
import type { ConfigProblem } from './config-problem.js';
import type { GeminiConfig } from './gemini.config.js';
import type { RedisConfig } from './redis.config.js';
import { key256 } from './setting-kinds.js';
import { Setting } from './setting.js';

/** Effective settings of the state, and their injection token. Keys are 64 lower-case hexadecimal digits. */
export class StateConfig {
  @Setting(
    key256(),
    'Key under which private keys of identities are stored encrypted; `openssl rand -base64 32` makes one. Unset = new private keys are stored in plain, in files for their owner alone. Required where identities are kept in Redis.',
    { secret: true },
  )
  readonly stateKey: string | null = null;

  @Setting(
    key256(),
    'The state key before the last change: what is still encrypted with it is read as well, and `gopher-mcp identity rekey` replaces it.',
    { secret: true },
  )
  readonly stateKeyOld: string | null = null;
}

/** Identities in Redis are always encrypted: what replicas share is read by more than the owner of a file. */
export function stateProblems(
  { stateKey }: StateConfig,
  { redisUrl }: RedisConfig,
  { clientCertsEnabled }: GeminiConfig,
): ConfigProblem[] {
  if (stateKey !== null || redisUrl === null || !clientCertsEnabled) return [];
  return [
    {
      name: 'GOPHER_MCP_STATE_KEY',
      requirement:
        'must be set together with GOPHER_MCP_REDIS_URL, where private keys are stored encrypted only ("openssl rand -base64 32" makes a key), or GEMINI_CLIENT_CERTS_ENABLED turned off',
      rejected: null,
    },
  ];
}
