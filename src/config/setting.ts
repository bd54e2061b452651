/**
 * One decorator says all about a setting: its kind (which brings the class-validator rules, the reading of its text and its
 * bounds), what it does, and whether it is a secret. The property's initialiser is its default, and the property's name is its
 * variable: `maxResponseSize` of a section with the prefix `GOPHER_` is `GOPHER_MAX_RESPONSE_SIZE`. Loading, `--check`,
 * `--print-config`, the policy resource and docs/configuration.md are all made from this; a new setting is one field.
 */
import { Transform } from 'class-transformer';
import { isBlank } from './value-syntax.js';

/** What all settings of one type share. */
export interface SettingKind {
  /** Type and bounds in a few words, for the reference: `integer, 1024 to 104857600`. */
  readonly summary: string;
  /** What a refused value is told: `must be an integer from 1024 to 104857600`. */
  readonly requirement: string;
  /** The value that `text` stands for, in its canonical form; whatever it returns is judged by the rules. */
  readonly read: (text: string) => unknown;
  /** class-validator decorators, each with a message that starts with `must`. */
  readonly rules: readonly PropertyDecorator[];
  /**
   * Whether a text of blanks leaves the default in place (true). Where a list restricts something, only the empty text does: a
   * restriction that came out blank by mistake must not turn into none.
   */
  readonly blankIsUnset: boolean;
  /** Names something on this machine: a model only learns whether it is set. */
  readonly isLocal?: true;
}

/** What a section knows of one of its settings. */
export interface SettingDescriptor {
  /** Name of the property. */
  readonly property: string;
  /** Variable name without the section's prefix: `MAX_RESPONSE_SIZE`. */
  readonly suffix: string;
  readonly kind: SettingKind;
  /** One or more sentences for people; units and special values included. */
  readonly description: string;
  /** Never shown: neither printed nor quoted in a problem. */
  readonly secret: boolean;
}

/** A class whose properties are settings. */
export type SectionClass<T extends object = object> = new () => T;

/** Declares a property to be a setting. See the head of this file. */
export function Setting(kind: SettingKind, description: string, options: { secret?: boolean } = {}): PropertyDecorator {
  return (target, key) => {
    const property = String(key);
    const own = SETTINGS.get(target.constructor) ?? [];
    own.push({ property, suffix: suffixOf(property), kind, description, secret: options.secret ?? false });
    SETTINGS.set(target.constructor, own);
    Transform(({ value }: { value: string }) => kind.read(value))(target, key);
    for (const rule of kind.rules) rule(target, key);
  };
}

/** The settings of `section` in the order in which they are declared, those of a base class first. */
export function settingsOf(section: SectionClass): readonly SettingDescriptor[] {
  const found: SettingDescriptor[] = [];
  for (let prototype: unknown = section.prototype; isObject(prototype); prototype = Object.getPrototypeOf(prototype)) {
    found.unshift(...(SETTINGS.get(prototype.constructor) ?? []));
  }
  return found;
}

/** Whether `text` leaves a setting of this kind at its default. */
export function isUnset(kind: SettingKind, text: string): boolean {
  return kind.blankIsUnset ? isBlank(text) : text === '';
}

/** `maxResponseSize` -> `MAX_RESPONSE_SIZE`. */
function suffixOf(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** Keyed by constructor; filled while the section classes are defined. */
const SETTINGS = new Map<object, SettingDescriptor[]>();

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
