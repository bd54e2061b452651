/**
 * What all replicas know of resources: windows and bodies, each as bytes, and who is downloading. Everything of one resource is of one
 * download, and goes together: with its lifetime, when the resource is dropped, when its host is, or when a newer download comes.
 *
 * Whoever keeps a copy asks with the stamp that came with it, and is told that it still holds or what there is instead; so nothing that
 * another replica dropped is served, and nothing is sent twice. None of this ever rejects.
 */
import type { ResourceAddress } from './page-address.js';

/** What is known of one entry. */
export type SharedReading =
  /** Redis cannot be asked. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'absent' }
  /** The entry is the one whose stamp was given. */
  | { readonly kind: 'same' }
  | { readonly kind: 'entry'; readonly bytes: Buffer; readonly stamp: string; readonly ttlMs: number };

/** The right to download a resource, given to one replica at a time. It is kept up until it has landed. */
export interface SharedFlight {
  /** The download is over; the right ends with {@link end}, or by itself in a few seconds. */
  landed(): void;
  /** @param isStored whether something of it was written; otherwise whoever waited need not wait for another one */
  end(isStored: boolean): void;
}

/** `flying`: a replica downloads. `in_vain`: one did a moment ago, and there was nothing to store. */
export type FlightState = 'flying' | 'in_vain' | 'over';

/** See the file's header. */
export interface SharedEntries {
  /** @param stamp of the copy at hand; empty when there is none */
  read(at: ResourceAddress, field: string, stamp: string): Promise<SharedReading>;
  /**
   * Keeps an entry of the download that ended at `fetchedAtMs`. Too large a one is not kept, nor one of an older download than
   * the present entries.
   *
   * @returns its stamp; empty when it was not kept
   */
  write(
    at: ResourceAddress,
    field: string,
    entry: { readonly bytes: Buffer; readonly fetchedAtMs: number; readonly ttlMs: number },
  ): Promise<string>;
  dropResource(at: ResourceAddress): Promise<void>;
  dropHost(host: string): Promise<void>;
  /**
   * Takes the right to download, which ends by itself a few seconds after this process died.
   *
   * @returns `taken` when another replica has it, `unknown` when Redis cannot be asked
   */
  takeOff(at: ResourceAddress): Promise<SharedFlight | 'taken' | 'unknown'>;
  /** What becomes of a download that was `taken`; `over` where Redis cannot be asked. */
  flightState(at: ResourceAddress): Promise<FlightState>;
}

/** Injection token of {@link SharedEntries}, which is null where this process stands alone. */
export const SharedEntries = Symbol('SharedEntries');
