/**
 * The types that settings have. Each reads the text of a variable, says its bounds in words, and brings the class-validator
 * rules that judge the result; text that is not of the type is handed to the rules as it stands and fails there.
 */
import {
  ArrayNotEmpty,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsPositive,
  IsString,
  Max,
  Min,
  ValidateBy,
} from 'class-validator';
import { normalizeHost } from '../common/net/host.js';
import { parseCidr } from '../common/net/ip.js';
import { err, ok, type Result } from '../common/result.js';
import { quote } from '../common/text/quote.js';
import { parseAllowedHost, parseHostHeader } from './host-entries.js';
import { parseOrigin } from './origin-entries.js';
import type { SettingKind } from './setting.js';
import { parseBoolean, parseDecimal, parseInteger, parseKey256, parseList } from './value-syntax.js';

/** An integer in a closed range. */
export function integer(min: number, max: number): SettingKind {
  const message = `must be an integer from ${min} to ${max}`;
  return {
    summary: `integer, ${min} to ${max}`,
    requirement: message,
    read: (text) => parseInteger(text) ?? text,
    rules: [IsInt({ message }), Min(min, { message }), Max(max, { message })],
    blankIsUnset: true,
  };
}

/** An integer in a closed range, or 0 for "off". */
export function integerOrZero(min: number, max: number): SettingKind {
  const message = `must be 0 or an integer from ${min} to ${max}`;
  return {
    ...integer(0, max),
    summary: `integer, 0 or ${min} to ${max}`,
    requirement: message,
    rules: [
      IsInt({ message }),
      Max(max, { message }),
      satisfies((value) => value === 0 || Number(value) >= min, message),
    ],
  };
}

/** An integer in a closed range that may be unset. */
export function optionalInteger(min: number, max: number): SettingKind {
  const kind = integer(min, max);
  return { ...kind, rules: [IsOptional(), ...kind.rules] };
}

/** A number in a closed range. */
export function decimal(min: number, max: number): SettingKind {
  const message = `must be a number from ${min} to ${max}`;
  return {
    summary: `number, ${min} to ${max}`,
    requirement: message,
    read: (text) => parseDecimal(text) ?? text,
    rules: [IsNumber({}, { message }), Min(min, { message }), Max(max, { message })],
    blankIsUnset: true,
  };
}

/** A number above zero, at most `max`. */
export function positiveDecimal(max: number): SettingKind {
  const message = `must be a number above 0 and at most ${max}`;
  return {
    ...decimal(0, max),
    summary: `number, above 0 and at most ${max}`,
    requirement: message,
    rules: [IsNumber({}, { message }), IsPositive({ message }), Max(max, { message })],
  };
}

/** Yes or no. */
export function boolean(): SettingKind {
  const message = 'must be one of true, t, yes, y, on, 1, false, f, no, n, off, 0';
  return {
    summary: 'boolean',
    requirement: message,
    read: (text) => parseBoolean(text) ?? text,
    rules: [IsBoolean({ message })],
    blankIsUnset: true,
  };
}

/** One of a few words, in any case; the value is spelt as in `choices`. */
export function choice(choices: readonly string[]): SettingKind {
  const message = `must be one of ${choices.join(', ')}`;
  return {
    summary: choices.join(', '),
    requirement: message,
    read: (text) => spelledAs(choices, text.trim()),
    rules: [IsIn(choices, { message })],
    blankIsUnset: true,
  };
}

/** Any number of a few words, in any case; may be empty. */
export function choices(words: readonly string[]): SettingKind {
  return {
    ...list({
      summary: `list of ${words.join(', ')}`,
      requirement: `must be a list of ${words.join(', ')}`,
      entry: (text) => {
        const word = spelledAs(words, text);
        return words.includes(word) ? ok(word) : err(`${quote(text)} is not one of them`);
      },
    }),
    blankIsUnset: true,
  };
}

/** A file or folder, taken as it stands. */
export function path(): SettingKind {
  const message = 'must be a path';
  return {
    summary: 'path',
    requirement: message,
    read: (text) => text,
    rules: [IsOptional(), IsString({ message })],
    blankIsUnset: true,
    isLocal: true,
  };
}

/** A key of 256 bits, in base64 (either alphabet, padded or not) or hexadecimal; the value is hexadecimal in lower case. */
export function key256(): SettingKind {
  const message = 'must be 32 bytes in base64 or hexadecimal';
  return {
    summary: '32 bytes, base64 or hexadecimal',
    requirement: message,
    read: (text) => parseKey256(text) ?? text,
    rules: [IsOptional(), satisfies((value) => typeof value === 'string' && parseKey256(value) === value, message)],
    blankIsUnset: true,
  };
}

/** The name or address to listen on; IPv6 with brackets or without. */
export function bindHost(): SettingKind {
  const message = 'must be a host name or an IP address';
  return {
    summary: 'host name or IP address',
    requirement: message,
    read: (text) => normalizeHost(text) ?? text,
    rules: [satisfies((value) => typeof value === 'string' && normalizeHost(value) !== null, message)],
    blankIsUnset: true,
  };
}

/** Hosts that may be contacted. */
export function allowedHosts(): SettingKind {
  return nonEmptyList({
    summary: 'list of hosts',
    requirement: 'must be a list with at least one host name, address, or .domain',
    entry: parseAllowedHost,
  });
}

/** Names under which a client may address the HTTP endpoint. */
export function hostHeaders(): SettingKind {
  return nonEmptyList({
    summary: 'list of HOST or HOST:PORT',
    requirement: 'must be a list with at least one HOST or HOST:PORT',
    entry: parseHostHeader,
  });
}

/** Origins of web pages. */
export function origins(): SettingKind {
  return nonEmptyList({
    summary: 'list of origins',
    requirement: 'must be a list with at least one origin such as https://app.example',
    entry: parseOrigin,
  });
}

/** Networks in CIDR notation; an address alone stands for itself. */
export function networks(): SettingKind {
  return nonEmptyList({
    summary: 'list of networks (CIDR)',
    requirement: 'must be a list with at least one network such as 10.0.0.0/8 or fd00::/8',
    entry: (text) => (parseCidr(text) === null ? err(`${quote(text)} is not a network`) : ok(text)),
  });
}

/** Names of tools; which ones exist is not known here. */
export function toolNames(): SettingKind {
  return nonEmptyList({
    summary: 'list of tool names',
    requirement: 'must be a list with at least one tool name',
    entry: (text) => (/^[a-z][a-z0-9_]{0,63}$/.test(text) ? ok(text) : err(`${quote(text)} is not a tool name`)),
  });
}

/** Media types, exact or `type/*`, in lower case; may be empty. */
export function mediaTypes(): SettingKind {
  return {
    ...list({
      summary: 'list of media types',
      requirement: 'must be a list of media types such as text/html or image/*',
      entry: (text) => {
        const type = text.toLowerCase();
        return MEDIA_TYPE.test(type) ? ok(type) : err(`${quote(text)} is not a media type without parameters`);
      },
    }),
    blankIsUnset: true,
  };
}

/** Ports, as numbers. */
export function ports(): SettingKind {
  const message = 'must be a list with at least one port number from 1 to 65535';
  const each = { each: true, message };
  return {
    summary: 'list of ports, 1 to 65535',
    requirement: message,
    read: (text) => unique(parseList(text).map((entry) => parseInteger(entry) ?? entry)),
    rules: [IsOptional(), ArrayNotEmpty({ message }), IsInt(each), Min(1, each), Max(65535, each)],
    blankIsUnset: false,
  };
}

interface ListOptions {
  readonly summary: string;
  readonly requirement: string;
  /** The canonical form of one entry, or what is wrong with it. Its own results must pass unchanged. */
  readonly entry: (text: string) => Result<string, string>;
}

function list({ summary, requirement, entry }: ListOptions): SettingKind {
  return {
    summary,
    requirement,
    read: (text) => unique(parseList(text).map((item) => valueOr(entry(item), item))),
    rules: [IsOptional(), IsArray({ message: requirement }), everyEntry(entry, requirement)],
    blankIsUnset: false,
  };
}

function nonEmptyList(options: ListOptions): SettingKind {
  const kind = list(options);
  return { ...kind, rules: [...kind.rules, ArrayNotEmpty({ message: options.requirement })] };
}

/** Refuses a list with a message that says which entries are wrong, and why. */
function everyEntry(entry: ListOptions['entry'], requirement: string): PropertyDecorator {
  const complaints = (value: unknown): string[] => {
    const items: readonly unknown[] = Array.isArray(value) ? value : [];
    return items.flatMap((item) => {
      const result = entry(String(item));
      return result.ok ? [] : [result.error];
    });
  };
  return ValidateBy({
    name: 'everyEntry',
    validator: {
      validate: (value) => complaints(value).length === 0,
      defaultMessage: (args) => `${requirement} (${complaints(args?.value).join('; ')})`,
    },
  });
}

function satisfies(test: (value: unknown) => boolean, message: string): PropertyDecorator {
  return ValidateBy({ name: 'satisfies', validator: { validate: test, defaultMessage: () => message } });
}

function spelledAs(words: readonly string[], text: string): string {
  const lower = text.toLowerCase();
  return words.find((word) => word.toLowerCase() === lower) ?? text;
}

function valueOr(result: Result<string, string>, fallback: string): string {
  return result.ok ? result.value : fallback;
}

function unique<T>(items: readonly T[]): T[] {
  return [...new Set(items)];
}

const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/(?:\*|[a-z0-9][a-z0-9!#$&^_.+-]{0,126})$/;
