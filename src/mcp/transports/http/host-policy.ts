/**
 * Which Host and Origin headers are served: the defence of a local server against pages that reach it through a browser
 * (DNS rebinding). Host names compare case-insensitively; a name given without a port admits itself with any port.
 */
import { isIP } from 'node:net';

/** The rule that a start-up chose. */
export interface HostPolicy {
  /** Null when any Host is served: a routable bind without a list. */
  readonly hosts: readonly string[] | null;
  /** Origins of browsers that may call; an absent Origin always may. */
  readonly origins: readonly string[] | null;
}

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'] as const;

/**
 * The rule for a bind address and the names an operator listed.
 *
 * @param host the bind address, brackets or not
 * @param allowedHosts names or `name:port` that clients may use; empty when none were listed
 */
export function hostPolicy(host: string, allowedHosts: readonly string[]): HostPolicy {
  if (allowedHosts.length === 0) {
    if (!isLoopback(host)) return { hosts: null, origins: null };
    return { hosts: LOOPBACK_NAMES, origins: LOOPBACK_NAMES.map((name) => `http://${name}`) };
  }
  const own = isWildcard(host) ? [] : [bracketedHost(host)];
  const hosts = [...allowedHosts, ...own, ...LOOPBACK_NAMES].map((name) => name.toLowerCase());
  return { hosts, origins: hosts.flatMap((name) => [`http://${name}`, `https://${name}`]) };
}

/** Whether a Host header is served. */
export function admitsHost({ hosts }: HostPolicy, header: string | undefined): boolean {
  return hosts === null || (header !== undefined && hosts.some((name) => matches(name, header.toLowerCase())));
}

/** Whether an Origin header is served; a request without one is no browser's. */
export function admitsOrigin({ origins }: HostPolicy, header: string | undefined): boolean {
  return header === undefined || origins === null || origins.some((origin) => matches(origin, header.toLowerCase()));
}

/** Whether binding to this address reaches this machine only. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  return bare === 'localhost' || bare === '::1' || (isIP(bare) === 4 && bare.startsWith('127.'));
}

function isWildcard(host: string): boolean {
  return host === '' || host === '0.0.0.0' || host === '::' || host === '[::]';
}

function bracketedHost(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

/** A listed name without a port admits any port; one with a port only that. */
function matches(listed: string, given: string): boolean {
  if (given === listed) return true;
  return given.startsWith(`${listed}:`) && /^\d{1,5}$/.test(given.slice(listed.length + 1));
}
