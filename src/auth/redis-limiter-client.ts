import { listOf, numberOf, type Redis } from '../state/index.js';

/** Of Redis, what the limiter needs; see io/limiter-counters.ts. */
interface ScriptRunner {
  readonly isReady: boolean;
  eval(source: string, options: ScriptInput): Promise<readonly [number, number]>;
}

interface ScriptInput {
  readonly keys: readonly string[];
  readonly arguments: readonly string[];
}

/** Runs the script of the limiter in the Redis of the deployment, quickly or not at all. */
export function redisLimiterClient(redis: Redis): ScriptRunner {
  return {
    get isReady() {
      return redis.vitals.trouble === null;
    },
    async eval(source, { keys, arguments: args }) {
      const names = keys.map((key) => redis.key('quota', key));
      const reply = await redis.quick.run({ name: 'quota', source }, names, args);
      if (!reply.ok) throw new Error(reply.error);
      const [used, leftMs] = (listOf(reply.value) ?? []).map(numberOf);
      if (typeof used !== 'number' || typeof leftMs !== 'number') throw new Error('no reply of the script');
      return [used, leftMs];
    },
  };
}
