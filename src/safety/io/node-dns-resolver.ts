/**
 * Look-ups through the operating system, as every other program on the machine makes them: its hosts file, its order of
 * addresses and its reading of odd IPv4 spellings (`127.1`, `0x7f000001`, `2130706433`) apply, and what comes out is
 * judged like any other address.
 *
 * A look-up blocks a worker thread and cannot be stopped. A deadline therefore ends the wait and not the look-up, which
 * keeps its place until the operating system is done with it: otherwise names whose servers never answer would take one
 * thread after the other. Waiting for a place is charged to the deadline.
 */
import { lookup } from 'node:dns/promises';
import type { Deadline } from '../../common/deadline.js';
import { fail, type Failure } from '../../common/error-codes.js';
import { err, ok, type Result } from '../../common/result.js';
import { SlotQueue, type SlotTicket } from '../../common/slot-queue.js';
import { unlessAborted } from '../core/aborted.js';
import type { ResolvedAddress } from '../core/address-policy.js';
import type { DnsResolver } from '../dns-resolver.port.js';

/** Look-ups under way at once, for all protocols together. */
export const MAX_CONCURRENT_LOOKUPS = 8;

/** All addresses of a name, or a rejection with a `code`: the part of `node:dns` that is used here. */
export type LookupAll = (host: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;

/** See the file's header. */
export class NodeDnsResolver implements DnsResolver {
  readonly #places = new SlotQueue(MAX_CONCURRENT_LOOKUPS);

  /** @param lookupAll replaced by tests */
  constructor(private readonly lookupAll: LookupAll = systemLookup) {}

  async resolve(host: string, deadline: Deadline): Promise<Result<readonly ResolvedAddress[], Failure>> {
    const place = await this.#enter(deadline.signal);
    const answer = place && (await unlessAborted(this.#lookUp(host, place), deadline.signal));
    return answer ?? err(deadline.failure(`The look-up of ${host}`));
  }

  async #enter(signal: AbortSignal): Promise<SlotTicket | null> {
    let onGranted = (): void => undefined;
    const turn = new Promise<void>((resolve) => {
      onGranted = resolve;
    });
    const place = this.#places.enter(onGranted);
    if (!place.granted) await unlessAborted(turn, signal);
    if (!signal.aborted) return place;
    place.leave();
    return null;
  }

  /** Never rejects, and gives the place back when the operating system is done, whoever still waits. */
  async #lookUp(host: string, place: SlotTicket): Promise<Result<readonly ResolvedAddress[], Failure>> {
    try {
      const addresses = (await this.lookupAll(host)).flatMap(toResolved);
      return addresses.length > 0 ? ok(addresses) : fail('DNS_ERROR', `${host} has no address.`);
    } catch (error) {
      return lookupFailure(host, error);
    } finally {
      place.leave();
    }
  }
}

function systemLookup(host: string): ReturnType<LookupAll> {
  return lookup(host, { all: true, verbatim: true });
}

function toResolved({ address, family }: { readonly address: string; readonly family: number }): ResolvedAddress[] {
  return family === 4 || family === 6 ? [{ address, family }] : [];
}

function lookupFailure(host: string, cause: unknown): Result<never, Failure> {
  const isTemporary = cause instanceof Error && 'code' in cause && cause.code === 'EAI_AGAIN';
  return isTemporary
    ? fail('DNS_ERROR', `No name server answered for ${host}.`, { next_step: 'Try once more later.' }, cause)
    : fail(
        'DNS_ERROR',
        `${host} does not resolve to an address.`,
        { next_step: 'Check the spelling of the host.' },
        cause,
      );
}
