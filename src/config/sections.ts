/** The four sections and their prefixes: where a variable name comes from. */
import { GatewayConfig } from './gateway.config.js';
import { GeminiConfig } from './gemini.config.js';
import { GopherConfig } from './gopher.config.js';
import { ServerConfig } from './server.config.js';
import { settingsOf, type SectionClass, type SettingDescriptor } from './setting.js';

/** A section of the configuration. */
export interface Section<T extends object = object> {
  /** Its place in the configuration. */
  readonly key: 'gopher' | 'gemini' | 'server' | 'gateway';
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

/** All sections, in the order in which problems and settings are listed. */
export const SECTIONS: readonly Section[] = [GOPHER_SECTION, GEMINI_SECTION, SERVER_SECTION, GATEWAY_SECTION];

/** The variable of a setting: `GOPHER_MAX_RESPONSE_SIZE`. */
export function variableName(section: Section, setting: SettingDescriptor): string {
  return section.prefix + setting.suffix;
}

/** Every variable that has an effect. */
export function knownVariables(): string[] {
  return SECTIONS.flatMap((section) => settingsOf(section.type).map((setting) => variableName(section, setting)));
}
