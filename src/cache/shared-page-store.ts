/**
 * The Keyv store behind the page cache of a replica: pages in memory, of which Redis says whether they still hold. What Redis does not
 * know is not served while it can be asked; while it cannot, memory alone serves, for as long as each page lives.
 */
import { EventEmitter } from 'node:events';
import type { BoundedStore, Envelope } from './bounded-store.js';
import { decodeAddress, type ResourceAddress } from './page-address.js';
import { decodePage, encodePage } from './page-bytes.js';
import type { SharedEntries } from './shared-entries.port.js';

/** A KeyvStoreAdapter; see the file's header. */
export class SharedPageStore extends EventEmitter {
  /** Keyv reads `opts.url` of any store that has an iterator. */
  readonly opts = { url: '', dialect: 'shared' };
  namespace: string | undefined;

  constructor(
    private readonly shared: SharedEntries,
    private readonly own: BoundedStore,
  ) {
    super();
  }

  async get(key: string): Promise<Envelope | undefined> {
    const at = decodeAddress(key);
    const known = this.own.get(key);
    const reading = await this.shared.read(at, windowField(at.window), known?.value.stamp ?? '');
    switch (reading.kind) {
      case 'unknown':
      case 'same':
        return known;
      case 'absent':
        this.own.delete(key);
        return undefined;
      case 'entry': {
        const page = decodePage(reading.bytes);
        if (!page) return undefined;
        const envelope = { value: { page, stamp: reading.stamp } };
        this.own.set(key, envelope, reading.ttlMs);
        return envelope;
      }
    }
  }

  async set(key: string, { value, ...rest }: Envelope, ttlMs = 0): Promise<true> {
    const at = decodeAddress(key);
    const { fetchedAtMs } = value.page;
    const entry = { bytes: encodePage(value.page), fetchedAtMs, ttlMs };
    const stamp = await this.shared.write(at, windowField(at.window), entry);
    return this.own.set(key, { value: { ...value, stamp }, ...rest }, ttlMs);
  }

  delete(key: string): boolean {
    return this.own.delete(key);
  }

  clear(): void {
    this.own.clear();
  }

  has(key: string): boolean {
    return this.own.has(key);
  }

  async dropResource(at: ResourceAddress): Promise<void> {
    this.own.dropResource(at);
    await this.shared.dropResource(at);
  }

  async dropHost(host: string): Promise<void> {
    this.own.dropHost(host);
    await this.shared.dropHost(host);
  }
}

/** Windows and other entries of a resource have different names. */
function windowField(window: string): string {
  return `w${window}`;
}
