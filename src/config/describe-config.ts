/** Settings shown to people: for `--print-config` and for the policy resource. */
import { escapeControls } from '../common/text/quote.js';
import type { GeminiConfig } from './gemini.config.js';
import type { GopherConfig } from './gopher.config.js';
import type { Config } from './load-config.js';
import {
  GATEWAY_SECTION,
  GEMINI_SECTION,
  GOPHER_SECTION,
  SERVER_SECTION,
  variableName,
  type Section,
} from './sections.js';
import { settingsOf, type SettingDescriptor } from './setting.js';

/**
 * The settings in effect as an environment file, one variable a line, unset ones as comments; ends with a line feed. Secrets are
 * hidden. Reading it back gives the same settings.
 */
export function printConfig(config: Config): string {
  const parts = [
    printSection(GOPHER_SECTION, config.gopher),
    printSection(GEMINI_SECTION, config.gemini),
    printSection(SERVER_SECTION, config.server),
    printSection(GATEWAY_SECTION, config.gateway),
  ];
  return parts.join('\n');
}

/** What a setting can be; null = unset. */
export type SettingValue = SettingScalar | readonly SettingScalar[] | null;
type SettingScalar = string | number | boolean;

/** One line of the policy resource. */
export interface PolicyField {
  /** The variable's name without prefix, in lower case. */
  readonly name: string;
  readonly value: SettingValue;
  /** The value as text: a JSON literal, lists with a blank after each comma. */
  readonly literal: string;
}

/** All settings of a protocol, sorted by name. Paths and secrets show only whether they are set. */
export function policyFields(config: GopherConfig | GeminiConfig): PolicyField[] {
  const section: Section = 'tofuEnabled' in config ? GEMINI_SECTION : GOPHER_SECTION;
  return settingsOf(section.type)
    .map((setting) => {
      const value = policyValue(setting, settingValue(config, setting));
      return { name: setting.suffix.toLowerCase(), value, literal: literalOf(value) };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The value that `setting` has in its section. */
export function settingValue(section: object, setting: SettingDescriptor): SettingValue {
  const value: unknown = Reflect.get(section, setting.property);
  if (Array.isArray(value)) return value.filter(isScalar);
  return isScalar(value) ? value : null;
}

function isScalar(value: unknown): value is SettingScalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function printSection<T extends object>(section: Section<T>, values: T): string {
  const lines = settingsOf(section.type).map((setting) => {
    const name = variableName(section, setting);
    const value = settingValue(values, setting);
    if (value === null) return `# ${name} is not set`;
    return setting.secret ? `# ${name} is set and not shown` : `${name}=${printValue(value)}`;
  });
  return `# ${section.title}\n${lines.join('\n')}\n`;
}

/** Quoted where the reader of environment files would take a character for syntax. */
function printValue(value: SettingValue): string {
  const text = escapeControls(isList(value) ? value.join(',') : String(value));
  if (!/[\s#'"`\\]/.test(text)) return text;
  const mark = [`'`, '"', '`'].find((candidate) => !text.includes(candidate));
  return mark === undefined ? text : mark + text + mark;
}

function policyValue({ kind, secret }: SettingDescriptor, value: SettingValue): SettingValue {
  if (!secret && !kind.isLocal) return value;
  return value === null ? '<default>' : '<configured>';
}

function literalOf(value: SettingValue): string {
  return isList(value) ? `[${value.map((item) => JSON.stringify(item)).join(', ')}]` : JSON.stringify(value);
}

function isList(value: SettingValue): value is readonly SettingScalar[] {
  return Array.isArray(value);
}
