/** The sections and their prefixes: where a variable name comes from. */
import { AuthConfig } from './auth.config.js';
import { AuditConfig } from './audit.config.js';
import { EdgeConfig } from './edge.config.js';
import { GatewayConfig } from './gateway.config.js';
import { GeminiConfig } from './gemini.config.js';
import { GopherConfig } from './gopher.config.js';
import { LimitsConfig } from './limits.config.js';
import { RedisConfig } from './redis.config.js';
import { ServerConfig } from './server.config.js';
import { settingsOf, type SectionClass, type SettingDescriptor } from './setting.js';
import { StateConfig } from './state.config.js';
import { TenantsConfig } from './tenants.config.js';

/** A section of the configuration. */
export interface Section<T extends object = object> {
  /** Its place in the configuration. */
  readonly key:
    'gopher' | 'gemini' | 'server' | 'gateway' | 'redis' | 'state' | 'limits' | 'edge' | 'audit' | 'auth' | 'tenants';
  /** Heading in the reference and in `--print-config`. */
  readonly title: string;
  /** Start of its variable names. */
  readonly prefix: string;
  readonly type: SectionClass<T>;
}

/** `GOPHER_*`. */
export const GOPHER_SECTION: Section<GopherConfig> = {
  key: 'gopher',
  title: 'Gopher',
  prefix: 'GOPHER_',
  type: GopherConfig,
};

/** `GEMINI_*`. */
export const GEMINI_SECTION: Section<GeminiConfig> = {
  key: 'gemini',
  title: 'Gemini',
  prefix: 'GEMINI_',
  type: GeminiConfig,
};

/** `GOPHER_MCP_*`, process and tools. */
export const SERVER_SECTION: Section<ServerConfig> = {
  key: 'server',
  title: 'Server',
  prefix: 'GOPHER_MCP_',
  type: ServerConfig,
};

/** `GOPHER_MCP_*`, transport. */
export const GATEWAY_SECTION: Section<GatewayConfig> = {
  key: 'gateway',
  title: 'Transport',
  prefix: 'GOPHER_MCP_',
  type: GatewayConfig,
};

/** `GOPHER_MCP_*`, what replicas share. */
export const REDIS_SECTION: Section<RedisConfig> = {
  key: 'redis',
  title: 'Redis',
  prefix: 'GOPHER_MCP_',
  type: RedisConfig,
};

/** `GOPHER_MCP_*`, what outlives the process. */
export const STATE_SECTION: Section<StateConfig> = {
  key: 'state',
  title: 'State',
  prefix: 'GOPHER_MCP_',
  type: StateConfig,
};

/** `GOPHER_MCP_*`, quotas and overload. */
export const LIMITS_SECTION: Section<LimitsConfig> = {
  key: 'limits',
  title: 'Limits',
  prefix: 'GOPHER_MCP_',
  type: LimitsConfig,
};

/** `GOPHER_MCP_*`, proxies and browsers. */
export const EDGE_SECTION: Section<EdgeConfig> = {
  key: 'edge',
  title: 'Edge',
  prefix: 'GOPHER_MCP_',
  type: EdgeConfig,
};

/** `GOPHER_MCP_*`, who may call. */
export const AUTH_SECTION: Section<AuthConfig> = {
  key: 'auth',
  title: 'Authentication',
  prefix: 'GOPHER_MCP_',
  type: AuthConfig,
};

/** `GOPHER_MCP_AUDIT_*`, who did what. */
export const AUDIT_SECTION: Section<AuditConfig> = {
  key: 'audit',
  title: 'Audit',
  prefix: 'GOPHER_MCP_',
  type: AuditConfig,
};

/** `GOPHER_MCP_*`, what tenants may use and share. */
export const TENANTS_SECTION: Section<TenantsConfig> = {
  key: 'tenants',
  title: 'Tenants',
  prefix: 'GOPHER_MCP_',
  type: TenantsConfig,
};

/** All sections, in the order in which problems and settings are listed. */
export const SECTIONS: readonly Section[] = [
  GOPHER_SECTION,
  GEMINI_SECTION,
  SERVER_SECTION,
  GATEWAY_SECTION,
  AUTH_SECTION,
  TENANTS_SECTION,
  LIMITS_SECTION,
  EDGE_SECTION,
  AUDIT_SECTION,
  STATE_SECTION,
  REDIS_SECTION,
];

/** The variable of a setting: `GOPHER_MAX_RESPONSE_SIZE`. */
export function variableName(section: Section, setting: SettingDescriptor): string {
  return section.prefix + setting.suffix;
}

/** The variable that names the file of a secret: `GOPHER_MCP_STATE_KEY_FILE`. */
export function secretFileVariable(variable: string): string {
  return `${variable}_FILE`;
}

/** Every variable that has an effect. */
export function knownVariables(): string[] {
  return SECTIONS.flatMap((section) =>
    settingsOf(section.type).flatMap((setting) => {
      const variable = variableName(section, setting);
      return setting.secret ? [variable, secretFileVariable(variable)] : [variable];
    }),
  );
}
