/**
 * From variables and flags to settings that are valid as a whole. Pure: environment, files and what reads them are arguments. Every
 * problem is found in one go; what is valid but questionable becomes a notice.
 */
import { err, ok, type Result } from '../common/result.js';
import type { AuthConfig } from './auth.config.js';
import { authProblems } from './auth-problems.js';
import { auditProblems, type AuditConfig } from './audit.config.js';
import type { ConfigProblem } from './config-problem.js';
import {
  flagValues,
  ownVariables,
  parseEnvFile,
  type Environment,
  type Flags,
  type GivenValue,
} from './environment.js';
import type { EdgeConfig } from './edge.config.js';
import type { GatewayConfig } from './gateway.config.js';
import type { GeminiConfig } from './gemini.config.js';
import type { GopherConfig } from './gopher.config.js';
import type { LimitsConfig } from './limits.config.js';
import {
  closedPorts,
  envFileUsed,
  idleAuthentication,
  idleChain,
  idleMetrics,
  openEndpoint,
  uncheckedServers,
  unknownVariable,
  type ConfigNotice,
} from './notices.js';
import type { ProtocolConfig } from './protocol.config.js';
import {
  AUDIT_SECTION,
  AUTH_SECTION,
  EDGE_SECTION,
  GATEWAY_SECTION,
  GEMINI_SECTION,
  GOPHER_SECTION,
  knownVariables,
  LIMITS_SECTION,
  REDIS_SECTION,
  SERVER_SECTION,
  STATE_SECTION,
  TENANTS_SECTION,
} from './sections.js';
import { readSection } from './read-section.js';
import { tenantProblems } from './tenant-problems.js';
import type { TenantsConfig } from './tenants.config.js';
import { withSecretFiles, type ReadSecretFile } from './secret-files.js';
import type { RedisConfig } from './redis.config.js';
import type { ServerConfig } from './server.config.js';
import { stateProblems, type StateConfig } from './state.config.js';

/** All settings in effect; frozen. */
export interface Config {
  readonly gopher: GopherConfig;
  readonly gemini: GeminiConfig;
  readonly server: ServerConfig;
  readonly gateway: GatewayConfig;
  readonly auth: AuthConfig;
  readonly tenants: TenantsConfig;
  readonly limits: LimitsConfig;
  readonly edge: EdgeConfig;
  readonly audit: AuditConfig;
  readonly state: StateConfig;
  readonly redis: RedisConfig;
  /** To be logged once at start. */
  readonly notices: readonly ConfigNotice[];
}

/** What besides the environment makes a configuration. */
export interface LoadOptions {
  /** Go before everything else. */
  readonly flags?: Flags;
  /** Content of `.env` in the working directory; comes after the environment. Null = there is none. */
  readonly envFile?: Uint8Array | null;
  /** Reads the files that hold secrets; unset = none can be read. */
  readonly readSecretFile?: ReadSecretFile;
  /** Names that GOPHER_MCP_TOOLS may list; unset = any. */
  readonly toolNames?: readonly string[];
  /** Ports that no setting opens, for the notice about listing them. */
  readonly closedPorts?: ReadonlySet<number> | ReadonlyMap<number, unknown>;
}

/** Reads all settings. Fails with every problem there is: files first, then sections in order, settings as declared. */
export function loadConfig(environment: Environment, options: LoadOptions = {}): Result<Config, ConfigProblem[]> {
  const problems: ConfigProblem[] = [];
  const file = options.envFile ? parseEnvFile(options.envFile) : ok({});
  if (!file.ok) problems.push(file.error);
  const fileVariables = ownVariables(file.ok ? file.value : {});
  const variables = new Map([...fileVariables, ...ownVariables(environment)]);
  const texts = new Map<string, GivenValue>([
    ...Array.from(variables, ([name, text]) => [name, { name, text }] as const),
    ...flagValues(options.flags ?? {}),
  ]);

  const given = withSecretFiles(texts, options.readSecretFile ?? noFiles, problems);

  const gopher = withoutIdleCache(readSection(GOPHER_SECTION, given, problems));
  const gemini = withoutIdleCache(readSection(GEMINI_SECTION, given, problems));
  const server = readSection(SERVER_SECTION, given, problems);
  const gateway = readSection(GATEWAY_SECTION, given, problems);
  const auth = readSection(AUTH_SECTION, given, problems);
  const tenants = readSection(TENANTS_SECTION, given, problems);
  const limits = readSection(LIMITS_SECTION, given, problems);
  const edge = readSection(EDGE_SECTION, given, problems);
  const audit = readSection(AUDIT_SECTION, given, problems);
  const state = readSection(STATE_SECTION, given, problems);
  const redis = readSection(REDIS_SECTION, given, problems);
  if (!problems.some(({ name }) => name === TOOLS_VARIABLE)) {
    problems.push(...unknownTools(server, given, options.toolNames));
  }
  // Values that are refused themselves say nothing about each other.
  if (problems.length === 0) problems.push(...authProblems(auth, gateway), ...stateProblems(state, redis, gemini));
  if (problems.length === 0) problems.push(...tenantProblems(tenants, auth, gateway));
  problems.push(...auditProblems(audit, gateway.transport));
  if (problems.length > 0) return err(problems);

  const known = knownVariables();
  const isClosed = (port: number): boolean => options.closedPorts?.has(port) ?? false;
  const notices = [
    fileVariables.size === 0 ? null : envFileUsed(fileVariables.size),
    ...[...variables.keys()].filter((name) => !known.includes(name)).map((name) => unknownVariable(name, known)),
    closedPorts('GOPHER_ALLOWED_PORTS', gopher, isClosed),
    closedPorts('GEMINI_ALLOWED_PORTS', gemini, isClosed),
    uncheckedServers(gemini),
    openEndpoint(gateway, auth),
    idleAuthentication(gateway, auth),
    idleMetrics(gateway),
    idleChain(audit),
  ].filter((notice) => notice !== null);
  return ok(deepFreeze({ gopher, gemini, server, gateway, auth, tenants, limits, edge, audit, state, redis, notices }));
}

/** A lifetime of zero is no cache: what is shown as being in effect must say so. */
function withoutIdleCache<T extends ProtocolConfig>(config: T): T {
  if (config.cacheTtlSeconds === 0) Object.assign(config, { cacheEnabled: false });
  return config;
}

const noFiles: ReadSecretFile = () => err('files are not read here');

const TOOLS_VARIABLE = 'GOPHER_MCP_TOOLS';

/** A misspelt name would hide the tool that was meant. */
function unknownTools(
  { tools }: ServerConfig,
  given: ReadonlyMap<string, GivenValue>,
  toolNames: readonly string[] | undefined,
): ConfigProblem[] {
  if (toolNames === undefined || (tools ?? []).every((name) => toolNames.includes(name))) return [];
  return [
    {
      name: TOOLS_VARIABLE,
      requirement: `must be a list of ${toolNames.join(', ')}`,
      rejected: given.get(TOOLS_VARIABLE)?.text ?? null,
    },
  ];
}

function deepFreeze<T extends object>(value: T): T {
  for (const member of Object.values(value)) {
    if (typeof member === 'object' && member !== null) deepFreeze(member);
  }
  return Object.freeze(value);
}
