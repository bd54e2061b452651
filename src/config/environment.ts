/**
 * Where settings come from: flags, then the environment, then the `.env` file. Names are case-insensitive; where a name is
 * there in several spellings, the upper-case one counts. Only names that start like ours are looked at.
 */
import { parseEnv } from 'node:util';
import { err, ok, type Result } from '../common/result.js';
import type { ConfigProblem } from './config-problem.js';

/** Variables as the process has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Command-line flags that stand for a setting, as typed. */
export interface Flags {
  readonly transport?: string;
  readonly host?: string;
  readonly port?: string;
  /** One entry for each `--allowed-host`. */
  readonly allowedHosts?: readonly string[];
}

/** What was given for one setting. */
export interface GivenValue {
  /** What to call it in a problem: the variable, or the flag. */
  readonly name: string;
  readonly text: string;
}

/** Our variables of an environment, by upper-case name. */
export function ownVariables(environment: Environment): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, text] of Object.entries(environment)) {
    const upper = name.toUpperCase();
    if (text === undefined || isUnfilled(text) || !OWN_PREFIXES.some((prefix) => upper.startsWith(prefix))) continue;
    if (isServiceLink(upper, text)) continue;
    if (name === upper || !found.has(upper)) found.set(upper, text);
  }
  return found;
}

/** Reads a `.env` file (UTF-8, with a byte order mark or without; see `util.parseEnv` for quotes and comments). */
export function parseEnvFile(bytes: Uint8Array): Result<Environment, ConfigProblem> {
  try {
    return ok(parseEnv(UTF8.decode(bytes)));
  } catch {
    return err({ name: '.env', requirement: 'must be UTF-8 text', rejected: null });
  }
}

/** The flags, by the variable that each goes before. */
export function flagValues({ transport, host, port, allowedHosts }: Flags): Map<string, GivenValue> {
  const found = new Map<string, GivenValue>();
  const add = (variable: string, name: string, text: string | undefined): void => {
    if (text !== undefined) found.set(variable, { name, text });
  };
  add('GOPHER_MCP_TRANSPORT', '--transport', transport);
  add('GOPHER_MCP_HOST', '--host', host);
  add('GOPHER_MCP_PORT', '--port', port);
  // As a JSON array: a comma inside one flag must not make two entries of it.
  add('GOPHER_MCP_ALLOWED_HOSTS', '--allowed-host', allowedHosts?.length ? JSON.stringify(allowedHosts) : undefined);
  return found;
}

/**
 * Whether a container orchestrator put the variable there for a service called `gopher-mcp` or alike: Kubernetes sets
 * `GOPHER_MCP_SERVICE_HOST`, `GOPHER_MCP_PORT=tcp://10.0.0.1:8000`, `GOPHER_MCP_PORT_8000_TCP_ADDR` and more in every pod beside
 * it. They mean where the service is, not where it shall listen.
 *
 * @see https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables
 */
function isServiceLink(name: string, text: string): boolean {
  if (name.endsWith('_PORT') && /^(?:tcp|udp|sctp):\/\//i.test(text)) return true;
  return /_SERVICE_(?:HOST|PORT)(?:_\w+)?$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$/.test(name);
}

/**
 * Whether a desktop client put its own placeholder there, because the person left the field of the form empty.
 *
 * @see https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md#user-configuration
 */
function isUnfilled(text: string): boolean {
  return /^\$\{user_config\.\w+\}$/.test(text);
}

const OWN_PREFIXES = ['GOPHER_', 'GEMINI_'] as const;

/** Drops a byte order mark; throws on anything that is not UTF-8. */
const UTF8 = new TextDecoder('utf-8', { fatal: true });
