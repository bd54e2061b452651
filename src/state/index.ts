export {
  PATIENT_MS,
  QUICK_MS,
  Redis,
  type RedisArgument,
  type RedisCalls,
  type RedisScript,
  type RedisVitals,
} from './redis.port.js';
export { bytesOf, listOf, numberOf, textOf, type RedisReply } from './core/replies.js';
export type { RedisTrouble } from './core/trouble.js';
