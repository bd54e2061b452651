/**
 * Bodies that replicas share, so that the next part of a long document is rendered by any of them without another download. A body is
 * shared decoded, as JSON: reading it costs a copy, where the bytes as received would have to be judged and decoded again.
 */
import { isJsonObject } from '../common/json.js';
import type { ResourceAddress, SharedEntries } from '../cache/index.js';
import type { BodyStore, HeldBodies, HeldBody } from './held-bodies.js';
import type { HeldDocument } from './protocol.port.js';

const FIELD = 'body';

/** See the file's header. Bodies in memory serve as long as they hold, and alone while the others cannot be asked. */
export class SharedBodies<D extends HeldDocument> implements BodyStore<D> {
  constructor(
    private readonly shared: SharedEntries,
    private readonly own: HeldBodies<D>,
  ) {}

  async get(at: ResourceAddress): Promise<HeldBody<D> | undefined> {
    const known = this.own.get(at);
    const reading = await this.shared.read(at, FIELD, known?.stamp ?? '');
    switch (reading.kind) {
      case 'unknown':
      case 'same':
        return known;
      case 'absent':
        this.own.drop(at);
        return undefined;
      case 'entry': {
        const body = readBody<D>(reading.bytes);
        if (!body) return undefined;
        const stamped = { ...body, stamp: reading.stamp };
        this.own.hold(at, stamped, reading.ttlMs);
        return stamped;
      }
    }
  }

  async hold(at: ResourceAddress, body: HeldBody<D>, ttlMs: number): Promise<void> {
    const bytes = Buffer.from(JSON.stringify(body));
    const stamp = await this.shared.write(at, FIELD, { bytes, fetchedAtMs: body.fetchedAtMs, ttlMs });
    this.own.hold(at, { ...body, stamp }, ttlMs);
  }

  /** Together with everything else of the resource, the shared body is dropped with its pages. */
  drop(at: ResourceAddress): void {
    this.own.drop(at);
  }

  dropHost(host: string): void {
    this.own.dropHost(host);
  }
}

function readBody<D extends HeldDocument>(bytes: Buffer): HeldBody<D> | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return isBody<D>(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Only replicas of this deployment write there, in this form. */
function isBody<D extends HeldDocument>(value: unknown): value is HeldBody<D> {
  if (!isJsonObject(value)) return false;
  const { document, connection, fetchedAtMs } = value;
  const heldBytes = isJsonObject(document) ? document['heldBytes'] : undefined;
  return typeof heldBytes === 'number' && isJsonObject(connection) && typeof fetchedAtMs === 'number';
}
