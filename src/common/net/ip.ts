/** IP addresses as numbers, and ranges of them. */
import { isIP } from 'node:net';

/** An IP address taken apart. */
export interface IpAddress {
  readonly family: 4 | 6;
  /** 16-bit groups, most significant first: two for IPv4, eight for IPv6. */
  readonly groups: readonly number[];
}

/** A network: the addresses that share its first `prefixLength` bits. */
export interface Cidr extends IpAddress {
  /** 0..32 for IPv4, 0..128 for IPv6. */
  readonly prefixLength: number;
}

/** Parses a dotted IPv4 or an IPv6 literal, without brackets, a zone id dropped; null for anything else. */
export function parseIp(text: string): IpAddress | null {
  const percent = text.indexOf('%');
  const address = percent === -1 ? text : text.slice(0, percent);
  const family = isIP(address);
  if (family === 4) return { family, groups: ipv4Groups(address) };
  if (family === 6) return { family, groups: ipv6Groups(address) };
  return null;
}

function ipv4Groups(dotted: string): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = dotted.split('.').map(Number);
  return [a * 256 + b, c * 256 + d];
}

function ipv6Groups(address: string): number[] {
  const gap = address.indexOf('::');
  if (gap === -1) return groupList(address);
  const head = groupList(address.slice(0, gap));
  const tail = groupList(address.slice(gap + 2));
  return [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

function groupList(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => (group.includes('.') ? ipv4Groups(group) : [Number.parseInt(group, 16)]));
}

/** Canonical text (RFC 5952). */
export function formatIp({ family, groups }: IpAddress): string {
  if (family === 4) return dotted(groups[0] ?? 0, groups[1] ?? 0);
  if (groups.slice(0, 5).every((g) => g === 0) && groups[5] === 0xffff) {
    return `::ffff:${dotted(groups[6] ?? 0, groups[7] ?? 0)}`;
  }
  let start = -1;
  let length = 1;
  for (let i = 0; i < groups.length; ) {
    let end = i;
    while (groups[end] === 0) end++;
    if (end - i > length) {
      start = i;
      length = end - i;
    }
    i = end + 1;
  }
  const hex = groups.map((group) => group.toString(16));
  if (start === -1) return hex.join(':');
  return `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`;
}

function dotted(high: number, low: number): string {
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}

/** Parses `address/prefix`, or an address alone for itself only; null for anything else. */
export function parseCidr(text: string): Cidr | null {
  const slash = text.indexOf('/');
  const address = parseIp(slash === -1 ? text : text.slice(0, slash));
  if (address === null) return null;
  const bits = address.family === 4 ? 32 : 128;
  if (slash === -1) return { ...address, prefixLength: bits };
  const digits = text.slice(slash + 1);
  if (!/^[0-9]{1,3}$/.test(digits) || Number(digits) > bits) return null;
  return { ...address, prefixLength: Number(digits) };
}

/** Whether `address` lies in `cidr`; false for what is not an address. */
export function cidrContains(cidr: Cidr, address: string): boolean {
  const parsed = parseIp(address);
  return parsed !== null && contains(cidr, parsed);
}

/**
 * Whether `address`, or an IPv4 address that it wraps (mapped, 6to4, Teredo, NAT64, ISATAP), lies in `cidr`: for rules
 * that must not be got round by wrapping. False for what is not an address.
 */
export function cidrReaches(cidr: Cidr, address: string): boolean {
  const parsed = parseIp(address);
  return parsed !== null && [parsed, ...embedded(parsed)].some((reached) => contains(cidr, reached));
}

function contains(cidr: Cidr, address: IpAddress): boolean {
  if (cidr.family !== address.family) return false;
  for (let i = 0; i * 16 < cidr.prefixLength; i++) {
    const bits = Math.min(16, cidr.prefixLength - i * 16);
    const mask = (0xffff << (16 - bits)) & 0xffff;
    if (((cidr.groups[i] ?? 0) & mask) !== ((address.groups[i] ?? 0) & mask)) return false;
  }
  return true;
}

/** Why an address is not fetched from. */
export type AddressClass =
  | 'site-local'
  | 'loopback'
  | 'link-local'
  | 'unspecified'
  | 'multicast'
  | 'private'
  | 'reserved'
  | 'non-global';

/** The class that forbids `address`, or null when it may be connected to. What is not an address is `reserved`. */
export function classifyAddress(address: string, family: 4 | 6): AddressClass | null {
  const parsed = parseIp(address);
  if (parsed === null || parsed.family !== family) return 'reserved';
  return classify(parsed);
}

function classify(address: IpAddress): AddressClass | null {
  const classes = [...embedded(address).map(classify), tableClass(address)];
  return CLASS_ORDER.find((name) => classes.includes(name)) ?? null;
}

const CLASS_ORDER: readonly AddressClass[] = [
  'site-local',
  'loopback',
  'link-local',
  'unspecified',
  'multicast',
  'private',
  'reserved',
  'non-global',
];

function embedded({ family, groups }: IpAddress): IpAddress[] {
  if (family === 4) return [];
  const v4 = (high: number | undefined, low: number | undefined): IpAddress => ({ family: 4, groups: [high ?? 0, low ?? 0] });
  const found: IpAddress[] = [];
  const [g0, g1, g2, g3, g4, g5, g6, g7] = groups;
  if (g0 === 0x2002) found.push(v4(g1, g2));
  if (g0 === 0x2001 && g1 === 0) found.push(v4(g2, g3), v4((g6 ?? 0) ^ 0xffff, (g7 ?? 0) ^ 0xffff));
  if ((g4 === 0 || g4 === 0x200) && g5 === 0x5efe) found.push(v4(g6, g7));
  if (g0 === 0 && g1 === 0 && g2 === 0 && g3 === 0 && (g5 === 0xffff || (g4 === 0xffff && g5 === 0))) found.push(v4(g6, g7));
  if (g0 === 0x64 && g1 === 0xff9b) found.push(v4(g6, g7));
  return found;
}

const TABLE: readonly (readonly [AddressClass, readonly string[]])[] = [
  ['site-local', ['fec0::/10']],
  ['loopback', ['127.0.0.0/8', '::1']],
  ['link-local', ['169.254.0.0/16', 'fe80::/10']],
  ['unspecified', ['0.0.0.0', '::']],
  ['multicast', ['224.0.0.0/4', 'ff00::/8']],
  [
    'private',
    [
      '0.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16',
      '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '240.0.0.0/4', '64:ff9b:1::/48', '100::/64', '2001::/23',
      '2001:db8::/32', '3fff::/20', 'fc00::/7',
    ],
  ],
  [
    'reserved',
    [
      '::/8', '100::/8', '200::/7', '400::/6', '800::/5', '1000::/4', '4000::/3', '6000::/3', '8000::/3', 'a000::/3',
      'c000::/3', 'e000::/4', 'f000::/5', 'f800::/6', 'fe00::/9',
    ],
  ],
  ['non-global', ['100.64.0.0/10']],
];

const ROWS = TABLE.flatMap(([name, cidrs]) =>
  cidrs.flatMap((text) => {
    const cidr = parseCidr(text);
    return cidr === null ? [] : [{ name, cidr }];
  }),
);

const JUDGED_BY_INNER = ['::ffff:0:0/96', '64:ff9b::/96'].flatMap((text) => parseCidr(text) ?? []);

function tableClass(address: IpAddress): AddressClass | null {
  if (JUDGED_BY_INNER.some((cidr) => contains(cidr, address))) return null;
  return ROWS.find(({ cidr }) => contains(cidr, address))?.name ?? null;
}
