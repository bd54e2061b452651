/**
 * IP addresses and networks as numbers, and the judgement whether an address may be connected to.
 *
 * An IPv6 address may carry an IPv4 address that the packet ends up at. All such forms are unwrapped, so that no spelling
 * of an inside address gets past: IPv4-mapped and -compatible (RFC 4291 section 2.5.5), IPv4-translated (RFC 2765), NAT64
 * (RFC 6052, RFC 8215), 6to4 (RFC 3056), Teredo (RFC 4380: the server and the client, whose bits are inverted) and
 * ISATAP (RFC 5214). The classes themselves are data: address-classes.ts.
 */
import { isIP } from 'node:net';
import { ADDRESS_CLASSES, TRANSPARENT_NETWORKS, type AddressClass } from './address-classes.js';

export type { AddressClass } from './address-classes.js';

/** An IP address taken apart. */
export interface IpAddress {
  readonly family: 4 | 6;
  /** Groups of 16 bits, the most significant first: two for IPv4, eight for IPv6. */
  readonly groups: readonly number[];
}

/** A network: all addresses that share the first `prefixLength` bits. */
export interface Cidr extends IpAddress {
  /** 0..32 for IPv4, 0..128 for IPv6. */
  readonly prefixLength: number;
}

/**
 * Parses an IPv4 address in dotted decimal or an IPv6 address without brackets; null for anything else, so also for the
 * short, octal and hexadecimal spellings of IPv4, which only a resolver understands. A zone id is dropped.
 */
export function parseIp(text: string): IpAddress | null {
  const percent = text.indexOf('%');
  const address = percent === -1 ? text : text.slice(0, percent);
  switch (isIP(address)) {
    case 4:
      return { family: 4, groups: ipv4Groups(address) };
    case 6:
      return { family: 6, groups: ipv6Groups(address) };
    default:
      return null;
  }
}

/** The one text of an address: dotted decimal, or RFC 5952 (lower case, longest run of zeros as `::`, `::ffff:1.2.3.4`). */
export function formatIp({ family, groups }: IpAddress): string {
  const [high = 0, low = 0] = groups.slice(-2);
  if (family === 4) return dotted(high, low);
  if (groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0)) return `::ffff:${dotted(high, low)}`;
  const hex = groups.map((group) => group.toString(16));
  const [start, end] = longestZeroRun(groups);
  return start === end ? hex.join(':') : `${hex.slice(0, start).join(':')}::${hex.slice(end).join(':')}`;
}

/**
 * Parses `address/prefix` (`10.0.0.0/8`, `fd00::/8`), or an address alone, which stands for itself only; null for
 * anything else. Bits beyond the prefix do not matter.
 */
export function parseCidr(text: string): Cidr | null {
  const slash = text.indexOf('/');
  const address = parseIp(slash === -1 ? text : text.slice(0, slash));
  if (address === null) return null;
  const addressBits = address.groups.length * 16;
  if (slash === -1) return { ...address, prefixLength: addressBits };
  const digits = text.slice(slash + 1);
  const prefixLength = Number(digits);
  return /^[0-9]{1,3}$/.test(digits) && prefixLength <= addressBits ? { ...address, prefixLength } : null;
}

/** Whether `address`, as it stands, lies in `cidr`; false for what is not an address. */
export function cidrContains(cidr: Cidr, address: string): boolean {
  const parsed = parseIp(address);
  return parsed !== null && contains(cidr, parsed);
}

/** Whether `address`, or an IPv4 address that it wraps, lies in `cidr`; false for what is not an address. */
export function cidrReaches(cidr: Cidr, address: string): boolean {
  const parsed = parseIp(address);
  return parsed !== null && [parsed, ...wrappedIpv4(parsed)].some((reached) => contains(cidr, reached));
}

/**
 * The class that forbids connecting to `address`; null when it is a public one. A wrapped IPv4 address counts as well,
 * and the most severe class is named. Text that is not an address of that family is `reserved`: nothing passes by
 * being unreadable.
 */
export function classifyAddress(address: string, family: 4 | 6): AddressClass | null {
  const parsed = parseIp(address);
  if (parsed?.family !== family) return 'reserved';
  const judged = wrappedIpv4(parsed);
  if (!TRANSPARENT.some((cidr) => contains(cidr, parsed))) judged.push(parsed);
  return CLASS_TABLE.find(({ cidr }) => judged.some((one) => contains(cidr, one)))?.addressClass ?? null;
}

const CLASS_TABLE = ADDRESS_CLASSES.flatMap(([addressClass, networks]) =>
  networks.map((network) => ({ addressClass, cidr: knownCidr(network) })),
);

const TRANSPARENT = TRANSPARENT_NETWORKS.map(knownCidr);

/** A network of our own tables. */
function knownCidr(text: string): Cidr {
  const cidr = parseCidr(text);
  if (cidr === null) throw new Error(`not a network: ${text}`);
  return cidr;
}

function contains(cidr: Cidr, address: IpAddress): boolean {
  if (cidr.family !== address.family) return false;
  for (let i = 0; i * 16 < cidr.prefixLength; i++) {
    const unusedBits = Math.max(0, 16 - (cidr.prefixLength - i * 16));
    if ((cidr.groups[i] ?? 0) >> unusedBits !== (address.groups[i] ?? 0) >> unusedBits) return false;
  }
  return true;
}

/** The IPv4 addresses that an IPv6 address wraps: none, one, or for Teredo two. */
function wrappedIpv4({ family, groups }: IpAddress): IpAddress[] {
  if (family === 4) return [];
  const [g0 = 0, g1 = 0, g2 = 0, g3 = 0, g4 = 0, g5 = 0, g6 = 0, g7 = 0] = groups;
  const wrapped: IpAddress[] = [];
  const add = (high: number, low: number): number => wrapped.push({ family: 4, groups: [high, low] });

  if (g0 === 0x2002) add(g1, g2); // 6to4
  if (g0 === 0x2001 && g1 === 0) {
    add(g2, g3); // Teredo server
    add(g6 ^ 0xffff, g7 ^ 0xffff); // Teredo client
  }
  const isCompatible = g4 === 0 && g5 === 0;
  const isMapped = g4 === 0 && g5 === 0xffff;
  const isTranslated = g4 === 0xffff && g5 === 0;
  const isZeroPrefixed = (g0 | g1 | g2 | g3) === 0 && (isCompatible || isMapped || isTranslated);
  const isNat64 = g0 === 0x64 && g1 === 0xff9b;
  const isIsatap = (g4 === 0 || g4 === 0x200) && g5 === 0x5efe;
  if (isZeroPrefixed || isNat64 || isIsatap) add(g6, g7);
  return wrapped;
}

function ipv4Groups(text: string): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = text.split('.').map(Number);
  return [a * 256 + b, c * 256 + d];
}

function ipv6Groups(text: string): number[] {
  const gap = text.indexOf('::');
  if (gap === -1) return groupList(text);
  const head = groupList(text.slice(0, gap));
  const tail = groupList(text.slice(gap + 2));
  const zeros = new Array<number>(8 - head.length - tail.length).fill(0);
  return [...head, ...zeros, ...tail];
}

/** Groups between single colons; the last one may be an IPv4 address. */
function groupList(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => (group.includes('.') ? ipv4Groups(group) : [Number.parseInt(group, 16)]));
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

/** Start and end of the first longest run of two or more zero groups; equal when there is none. */
function longestZeroRun(groups: readonly number[]): readonly [start: number, end: number] {
  let longest: readonly [number, number] = [0, 0];
  for (let start = 0; start < groups.length; start++) {
    let end = start;
    while (groups[end] === 0) end++;
    if (end - start > Math.max(1, longest[1] - longest[0])) longest = [start, end];
  }
  return longest;
}
