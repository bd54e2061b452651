import assert from 'node:assert/strict';
import fc from 'fast-check';
import { finish } from '../../src/common/steps.js';
import { parseAuthority } from '../../src/common/net/authority.js';
import { bracketed, isIpLiteral, normalizeHost } from '../../src/common/net/host.js';
import { classifyAddress, formatIp, parseCidr, parseIp } from '../../src/common/net/ip.js';
import { HostPolicy } from '../../src/safety/core/host-policy.js';
import { isRefused } from '../../src/safety/core/robots-decision.js';
import { AI_AGENTS, parseRobots, type RobotsAgents } from '../../src/safety/core/robots-rules.js';
import { namedPauseSeconds, MAX_PAUSE_SECONDS } from '../../src/safety/core/slow-down.js';
import { hostileText, textOf } from './hostile.js';
import { fuzzTarget } from './target.js';

const AGENTS: RobotsAgents = { own: ['gopher-mcp'], additional: AI_AGENTS };
const robotsText = textOf(
  ...[
    'User-agent: *\n',
    'User-agent: gopher-mcp\r\n',
    'user-agent : GPTBot\r',
    'Disallow: /\n',
    'Disallow: /a*b*c$\n',
    'Disallow:\n',
  ],
  ...['Allow: /\n', '# comment\n', 'Disallow: /%2e%2e/\n', 'Disallow: ', 'User-agent: ', '*', '$', '\n', 'a', '/', '%'],
);
const path = textOf('/a', '/../', './', '%2e', 'b', 'c', '?', '//');

export const robots = fuzzTarget(
  'robots',
  fc.record({ text: robotsText, paths: fc.array(path, { maxLength: 3 }) }),
  ({ text, paths }) => {
    const rules = finish(parseRobots(text, AGENTS));
    assert.deepEqual(JSON.parse(JSON.stringify(rules)), rules, 'rules are not plain data');
    isRefused(rules, paths);
    // Whatever stands before it, a group that names us holds.
    const closed = finish(parseRobots(`${text}\nDisallow:\nUser-agent: gopher-mcp\nDisallow: /\n`, AGENTS));
    assert.ok(isRefused(closed, ['/secret']), 'a rule that names us does not hold');
  },
);

const hostText = textOf(
  'a',
  'example',
  '.',
  '-',
  '_',
  'xn--',
  'ß',
  '。',
  'Ａ',
  '[',
  ']',
  '::1',
  ':',
  '127.0.0.1',
  '%25',
  '%',
  '0x7f',
  'localhost',
);

export const host = fuzzTarget('host', hostText, (text) => {
  const policy = new HostPolicy({ allowedHosts: ['a.example', '.b.example'], variablePrefix: 'X_' });
  const normal = normalizeHost(text);
  parseAuthority(text);
  if (normal === null) return;
  assert.match(normal, /^[a-z0-9._:-]+$/);
  assert.equal(normalizeHost(normal), normal);
  assert.equal(normalizeHost(bracketed(normal)), normal);
  assert.equal(normalizeHost(normal.toUpperCase()), normal);
  const authority = parseAuthority(bracketed(normal));
  assert.equal(authority?.host, normal, 'a host is not the host of its own authority');
  // A name can be allowed in one way only.
  const allowed = policy.check(normal) === null;
  assert.equal(allowed, normal === 'a.example' || (normal.endsWith('.b.example') && isIpLiteral(normal) === 0));
});

const octet = fc.integer({ min: 0, max: 255 });
const ipv4 = fc.oneof(
  fc.tuple(octet, octet, octet, octet).map((parts) => parts.join('.')),
  fc.constantFrom(
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '192.168.1.1',
    '100.64.0.1',
    '0.0.0.0',
    '8.8.8.8',
    '224.0.0.1',
  ),
);
const hex = (value: number): string => value.toString(16);

/** Every IPv6 form that carries an IPv4 address to its end. */
function wrappings(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const [high, low] = [a * 256 + b, c * 256 + d];
  const inner = `${hex(high)}:${hex(low)}`;
  return [
    `::ffff:${address}`,
    `::ffff:${inner}`,
    `0:0:0:0:0:ffff:${inner}`,
    `::ffff:0:${inner}`,
    `64:ff9b::${inner}`,
    `64:ff9b:1::${inner}`,
    `2002:${inner}::1`,
    `2001:0:${inner}::1`,
    `2001:0:808:808:0:0:${hex(high ^ 0xffff)}:${hex(low ^ 0xffff)}`,
    `2606:4700::5efe:${inner}`,
    `2606:4700::200:5efe:${inner}`,
  ];
}

export const address = fuzzTarget('address', fc.tuple(ipv4, hostText, fc.nat(140)), ([inner, text, prefix]) => {
  const refused = classifyAddress(inner, 4) !== null;
  for (const wrapped of refused ? wrappings(inner) : []) {
    assert.notEqual(classifyAddress(wrapped, 6), null, `${wrapped} gets past`);
  }
  const parsed = parseIp(text);
  if (parsed) {
    const written = formatIp(parsed);
    assert.deepEqual(parseIp(written), parsed);
    assert.equal(formatIp(parseIp(written)!), written);
  } else {
    assert.equal(classifyAddress(text, 4), 'reserved');
    assert.equal(classifyAddress(text, 6), 'reserved');
  }
  const cidr = parseCidr(`${text}/${prefix}`);
  if (cidr) assert.ok(cidr.prefixLength === prefix && prefix <= cidr.groups.length * 16);
});

export const slowDown = fuzzTarget(
  'slow-down',
  fc.oneof(hostileText, textOf('1', '.', 'e', '+', '-', 'inf', '0', ' ')),
  (field) => {
    const seconds = namedPauseSeconds(field);
    assert.ok(seconds === null || (seconds > 0 && seconds <= MAX_PAUSE_SECONDS));
  },
);
