/**
 * The address classes that are not fetched from, as data: the special-purpose registries of IANA, and the IPv6 space that
 * nobody has been given yet.
 *
 * The order of the rows is the order of severity: where several apply to one address (an IPv6 form that wraps an IPv4
 * address is judged as both), the first names the class. Where registries and libraries differ, the stricter
 * reading is taken: all of 192.0.0.0/24, the retired 6to4 relays, and documentation space old and new.
 *
 * Not listed, because they lead to the public internet: 2002::/16 (6to4) and 64:ff9b::/96 (NAT64), which are judged by
 * the IPv4 address inside, and the anycast blocks of AS112 and AMT.
 *
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry/
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry/
 */

/** Why an address is not fetched from. */
export type AddressClass = (typeof ADDRESS_CLASSES)[number][0];

/** Class and its networks; a network without a prefix length is one address. */
export const ADDRESS_CLASSES = [
  ['site-local', ['fec0::/10']],
  ['loopback', ['127.0.0.0/8', '::1']],
  ['link-local', ['169.254.0.0/16', 'fe80::/10']],
  ['unspecified', ['0.0.0.0', '::']],
  ['multicast', ['224.0.0.0/4', 'ff00::/8']],
  [
    'private',
    [
      '0.0.0.0/8', // this network, RFC 791
      '10.0.0.0/8', // RFC 1918
      '172.16.0.0/12', // RFC 1918
      '192.0.0.0/24', // protocol assignments, RFC 6890
      '192.0.2.0/24', // documentation, RFC 5737
      '192.88.99.0/24', // 6to4 relays, retired by RFC 7526
      '192.168.0.0/16', // RFC 1918
      '198.18.0.0/15', // benchmarks, RFC 2544
      '198.51.100.0/24', // documentation, RFC 5737
      '203.0.113.0/24', // documentation, RFC 5737
      '240.0.0.0/4', // reserved, RFC 1112, and the limited broadcast
      '64:ff9b:1::/48', // local-use NAT64, RFC 8215
      '100::/64', // discard, RFC 6666
      '2001::/23', // protocol assignments, RFC 2928; Teredo is in here
      '2001:db8::/32', // documentation, RFC 3849
      '3fff::/20', // documentation, RFC 9637
      'fc00::/7', // unique local, RFC 4193
    ],
  ],
  // Everything that is neither 2000::/3 nor named above.
  [
    'reserved',
    [
      '::/8',
      '100::/8',
      '200::/7',
      '400::/6',
      '800::/5',
      '1000::/4',
      '4000::/3',
      '6000::/3',
      '8000::/3',
      'a000::/3',
      'c000::/3',
      'e000::/4',
      'f000::/5',
      'f800::/6',
      'fe00::/9',
    ],
  ],
  ['non-global', ['100.64.0.0/10']], // carrier-grade NAT, RFC 6598
] as const satisfies readonly (readonly [string, readonly string[]])[];

/** Networks whose addresses are judged by the IPv4 address inside alone: the packet goes there and nowhere else. */
export const TRANSPARENT_NETWORKS = [
  '::ffff:0:0/96', // IPv4-mapped, RFC 4291 section 2.5.5.2
  '64:ff9b::/96', // NAT64, RFC 6052: all a network without IPv4 resolves to
] as const;
