/** Names, the way to the small web, and the addresses that the settings name. */
import type { Config } from '../../config/index.js';
import type { Redis, RedisTrouble } from '../../state/index.js';
import { broken, doubtful, fine, type Finding } from './finding.js';
import type { Probes } from './probes.js';

const NAME_TO_RESOLVE = 'geminiprotocol.net';

/** One well-known server of each protocol. */
const REACHED = [
  { host: 'gopher.floodgap.com', port: 70, protocol: 'Gopher' },
  { host: 'geminiprotocol.net', port: 1965, protocol: 'Gemini' },
];

/** Resolves a name; with `isOnline` connects to one server of each protocol, and sends nothing. */
export async function checkOutside(probes: Probes, isOnline: boolean): Promise<Finding[]> {
  const resolved = await probes.resolve(NAME_TO_RESOLVE);
  if (typeof resolved === 'string') {
    const text = `${NAME_TO_RESOLVE} does not resolve (${resolved}): this machine is offline, or its name server does not answer`;
    return [doubtful('names', text, 'Check the network; "gopher-mcp demo" works without one.')];
  }
  const findings = [fine('names', `${NAME_TO_RESOLVE} resolves`)];
  for (const { host, port, protocol } of isOnline ? REACHED : []) {
    const trouble = await probes.connect(host, port);
    findings.push(
      trouble === null
        ? fine(protocol, `${host}:${port} answers`)
        : doubtful(
            protocol,
            `${host}:${port} does not answer (${trouble})`,
            `Check that a firewall lets connections to port ${port} out.`,
          ),
    );
  }
  return findings;
}

/** The address to listen on: it matters only for a server over HTTP. */
export async function checkHttpPort({ gateway }: Config, probes: Probes): Promise<Finding[]> {
  const { transport, host, port } = gateway;
  const trouble = await probes.listen(host, port);
  const address = `${host}:${port}`;
  if (trouble === null) return [fine('HTTP', `${address} is free`)];
  const text = `${address} cannot be listened on (${trouble})`;
  const remedy = 'Stop what listens there, which may be this server itself, or choose another with --port.';
  return [
    transport === 'stdio'
      ? doubtful('HTTP', `${text}; over stdio it is not needed`, remedy)
      : broken('HTTP', text, remedy),
  ];
}

/**
 * Whether Redis answers a PING, where one is configured: over the connection that the server uses, with its password and TLS.
 *
 * @param url was checked with the settings
 */
export async function checkRedis(url: string | null, redis: Redis | null): Promise<Finding[]> {
  if (url === null || redis === null) return [];
  const { hostname, port } = new URL(url);
  const address = `${hostname}:${port === '' ? '6379' : port}`;
  const answer = await redis.patient.command('PING');
  if (answer.ok) return [fine('Redis', `${address} answers`)];
  const text = `${address} ${REDIS_TROUBLE[answer.error]}`;
  return [broken('Redis', text, 'Start it, or correct GOPHER_MCP_REDIS_URL: host, port, user, password.')];
}

const REDIS_TROUBLE: Readonly<Record<RedisTrouble, string>> = {
  away: 'cannot be connected to, or does not let this server in',
  late: 'takes a connection, but does not answer a PING',
  full: 'answers, but has no memory left',
  refused: 'answers a PING with an error',
};
