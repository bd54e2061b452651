/**
 * One spelling per host. The value made here serves the allow-list, address check, pin key, identity scope, robots key,
 * pacing key, cache key, SNI and request line.
 */
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { formatIp, parseIp } from './ip.js';

/** The canonical spelling of `host`, or null when it cannot be a host. */
export function normalizeHost(host: string): string | null {
  const name = dropTrailingDot(unbracketed(host.trim()));
  if (name.includes(':')) return canonicalIpv6(name);
  if (isAscii(name)) return validName(name.toLowerCase());
  return validName(dropTrailingDot(domainToASCII(name)));
}

/** `host` as a URL writes it: IPv6 in brackets. */
export function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** 4 or 6 for an address literal (no brackets), 0 for a name. */
export function isIpLiteral(host: string): 0 | 4 | 6 {
  const family = isIP(host);
  return family === 4 || family === 6 ? family : 0;
}

function unbracketed(host: string): string {
  return host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
}

function dropTrailingDot(name: string): string {
  return name.endsWith('.') ? name.slice(0, -1) : name;
}

function canonicalIpv6(text: string): string | null {
  if (text.includes('%')) return null;
  const address = parseIp(text);
  return address === null ? null : formatIp(address);
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}

function validName(name: string): string | null {
  if (name.length > 253) return null;
  for (const label of name.split('.')) if (!/^[a-z0-9_-]{1,63}$/.test(label)) return null;
  return name;
}
