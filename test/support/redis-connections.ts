/** Connections of a test to its Redis, as replicas would have them. */
import { SystemClock } from '../../src/clock/system-clock.js';
import { RedisConnection } from '../../src/state/io/redis-connection.js';
import type { RedisServer } from './redis-server.js';
import { until } from './until.js';

/** See the file's header. */
export class RedisConnections {
  readonly #open: RedisConnection[] = [];

  constructor(private readonly server: RedisServer) {}

  /** One that is ready. */
  async connect(prefix = 'test:'): Promise<RedisConnection> {
    const made = await RedisConnection.open({
      url: this.server.url,
      prefix,
      clock: new SystemClock(),
      onChange: () => undefined,
    });
    this.#open.push(made);
    await until(() => made.vitals.trouble === null);
    return made;
  }

  closeAll(): void {
    for (const one of this.#open.splice(0)) one.close();
  }
}

/** The replica whose turn it is. */
export function turnOf<T>(replicas: readonly T[], index: number): T {
  const replica = replicas[index % replicas.length];
  if (replica === undefined) throw new Error('there is no replica');
  return replica;
}
