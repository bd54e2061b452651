/**
 * A list of hosts. An entry is a host name or address, matched exactly in its normalised form, or a domain written with a leading
 * dot: `.example.org` stands for every name below example.org and not for example.org itself, so a list can say either or both. A
 * dot entry never matches an address literal, and an entry that cannot be a host matches nothing.
 */
import { isIpLiteral, normalizeHost } from './host.js';

/** See the file's header. */
export class HostList {
  readonly #hosts = new Set<string>();
  readonly #domains = new Set<string>();

  constructor(entries: readonly string[]) {
    for (const entry of entries) {
      const isDomain = entry.trim().startsWith('.');
      const host = normalizeHost(isDomain ? entry.trim().slice(1) : entry);
      if (host !== null) (isDomain ? this.#domains : this.#hosts).add(host);
    }
  }

  /** @param host normalised */
  has(host: string): boolean {
    return this.#hosts.has(host) || this.#isBelowListedDomain(host);
  }

  #isBelowListedDomain(host: string): boolean {
    if (this.#domains.size === 0 || isIpLiteral(host) !== 0) return false;
    for (let dot = host.indexOf('.'); dot !== -1; dot = host.indexOf('.', dot + 1)) {
      if (this.#domains.has(host.slice(dot + 1))) return true;
    }
    return false;
  }
}
