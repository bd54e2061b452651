/** Settings shown to people: for `--print-config`, the policy resource and the reference. */
import { escapeControls } from '../common/text/quote.js';
import { GeminiConfig } from './gemini.config.js';
import type { GopherConfig } from './gopher.config.js';
import type { Config } from './load-config.js';
import {
  GEMINI_SECTION,
  GOPHER_SECTION,
  SECTIONS,
  secretFileVariable,
  variableName,
  type Section,
} from './sections.js';
import { settingsOf, type SettingDescriptor } from './setting.js';

/**
 * The settings in effect as an environment file, one variable a line, unset ones as comments; ends with a line feed. Secrets are
 * hidden. Reading it back gives the same settings, but for a text with control characters, which are escaped, or with all three
 * kinds of quotes.
 */
export function printConfig(config: Config): string {
  return SECTIONS.map((section) => printSection(section, config[section.key])).join('\n');
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
  const section: Section = config instanceof GeminiConfig ? GEMINI_SECTION : GOPHER_SECTION;
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

/** What the reference says of one setting. */
export interface SettingReference {
  readonly variable: string;
  /** Variable name without prefix. */
  readonly suffix: string;
  /** Type and bounds. */
  readonly summary: string;
  /** As it would be written; null = unset. */
  readonly defaultText: string | null;
  readonly description: string;
  readonly secret: boolean;
  /** The variable that names a file with the value; null unless it is a secret. */
  readonly fileVariable: string | null;
}

/** Every setting there is, by section. */
export function referenceSections(): { title: string; settings: SettingReference[] }[] {
  return SECTIONS.map((section) => {
    const defaults = new section.type();
    const settings = settingsOf(section.type).map((setting) => {
      const value = settingValue(defaults, setting);
      const variable = variableName(section, setting);
      return {
        variable,
        suffix: setting.suffix,
        summary: setting.kind.summary,
        defaultText: value === null ? null : valueText(value),
        description: setting.description,
        secret: setting.secret,
        fileVariable: setting.secret ? secretFileVariable(variable) : null,
      };
    });
    return { title: section.title, settings };
  });
}

function isScalar(value: unknown): value is SettingScalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function printSection(section: Section, values: object): string {
  const lines = settingsOf(section.type).map((setting) => {
    const name = variableName(section, setting);
    const value = settingValue(values, setting);
    if (value === null) return `# ${name} is not set`;
    return setting.secret ? `# ${name} is set and not shown` : `${name}=${printValue(value)}`;
  });
  return `# ${section.title}\n${lines.join('\n')}\n`;
}

function valueText(value: Exclude<SettingValue, null>): string {
  return isList(value) ? value.join(',') : String(value);
}

/** Quoted where the reader of environment files would take a character for syntax. */
function printValue(value: Exclude<SettingValue, null>): string {
  const text = escapeControls(valueText(value));
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
