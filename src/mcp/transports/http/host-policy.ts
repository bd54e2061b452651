/**
 * Which Host and Origin headers are served: the defence of a local server against pages that reach it through a browser
 * (DNS rebinding). Host names compare case-insensitively; a name given without a port admits itself with any port.
 */
import { isIP } from 'node:net';

/** The rule that a start-up chose. */
export interface HostPolicy {
  /** Null when any Host is served: a routable bind without a list. */
  readonly hosts: readonly string[] | null;
  /** Origins of browsers that may call, each with any port if it has none; an absent Origin always may. Null = any. */
  readonly origins: readonly string[] | null;
  /** Origins that an operator listed, exactly. */
  readonly listedOrigins: ReadonlySet<string>;
}

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'] as const;

/**
 * The rule for a bind address and the names an operator listed.
 *
 * @param host the bind address, brackets or not
 * @param allowedHosts names or `name:port` that clients may use; empty when none were listed
 * @param allowedOrigins origins that may call as well; where there are some, an unknown one is refused even if every Host is served
 */
export function hostPolicy(
  host: string,
  allowedHosts: readonly string[],
  allowedOrigins: readonly string[] = [],
): HostPolicy {
  const { hosts, origins } = ownNames(host, allowedHosts);
  const isOpen = origins === null && allowedOrigins.length === 0;
  return { hosts, origins: isOpen ? null : (origins ?? []), listedOrigins: new Set(allowedOrigins) };
}

function ownNames(host: string, allowedHosts: readonly string[]): Pick<HostPolicy, 'hosts' | 'origins'> {
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
export function admitsOrigin({ origins, listedOrigins }: HostPolicy, header: string | undefined): boolean {
  if (header === undefined || origins === null) return true;
  const origin = header.toLowerCase();
  return listedOrigins.has(origin) || origins.some((own) => matches(own, origin));
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
