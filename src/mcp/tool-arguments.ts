/**
 * Tool arguments as class-validator classes: one decorator of this file for each kind of argument, with the leniency that
 * clients rely on (numbers and booleans may come as text). What does not fit is an INVALID_REQUEST that names the
 * argument; unknown arguments are refused, because a misspelled one would otherwise silently do nothing.
 *
 * Nearly all calls bring arguments that fit as they are. Each decorator says what such a value is, and a call that brings nothing
 * else skips conversion and validation, which cost more than the rest of a cached answer.
 */
import { Transform, plainToInstance } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsDefined,
  IsIn,
  IsInt,
  IsString,
  Min,
  ValidateIf,
  validateSync,
  type ValidationError,
} from 'class-validator';
import { failure, type Failure } from '../common/error-codes.js';
import type { JsonObject } from '../common/json.js';
import { err, ok, type Result } from '../common/result.js';
import type { ArgumentsClass, InputSchema } from './tool.js';

/** A required text. */
export function TextArgument(): PropertyDecorator {
  return argument(isText, IsDefined(), IsString({ message: 'must be text' }));
}

/** A text that may be null or left out. */
export function OptionalTextArgument(): PropertyDecorator {
  return argument(
    (value) => value === null || isText(value),
    ValidateIf((_args, value) => value !== null),
    IsString({ message: 'must be text or null' }),
  );
}

/** true or false; also 1, 0, yes, no, on, off, t, f, y, n in any case. */
export function FlagArgument(): PropertyDecorator {
  return argument(
    (value) => typeof value === 'boolean',
    Transform(({ value }: { value: unknown }) => lenientBoolean(value)),
    IsBoolean({ message: 'must be true or false' }),
  );
}

/** A whole number of at least `min`; also as text. */
export function WholeNumberArgument(min?: number): PropertyDecorator {
  const message = min === undefined ? 'must be a whole number' : `must be a whole number of at least ${min}`;
  return argument(
    (value) => Number.isInteger(value) && (min === undefined || Number(value) >= min),
    Transform(({ value }: { value: unknown }) => lenientInteger(value)),
    IsInt({ message }),
    ...(min === undefined ? [] : [Min(min, { message })]),
  );
}

/** One of a closed list of words. */
export function ChoiceArgument(choices: readonly string[]): PropertyDecorator {
  return argument(
    (value) => isText(value) && choices.includes(value),
    IsDefined(),
    IsIn(choices, { message: `must be one of ${choices.join(', ')}` }),
  );
}

/** A list of texts. */
export function TextListArgument(): PropertyDecorator {
  const message = 'must be a list of texts';
  return argument(
    (value) => Array.isArray(value) && value.every(isText),
    IsDefined(),
    IsArray({ message }),
    IsString({ each: true, message }),
  );
}

/**
 * What is missing of the arguments that a tool cannot do without: INVALID_REQUEST with reason `argument`, null when nothing is.
 * The classes cannot tell, since their fields have defaults.
 */
export function missingArguments({ required = [] }: InputSchema, raw: JsonObject): Failure | null {
  const missing = required.filter((name) => raw[name] === undefined);
  return missing.length === 0 ? null : refusal(missing.map((name) => `The argument "${name}" is missing`));
}

/**
 * Raw arguments as an instance of the tool's class.
 *
 * @returns INVALID_REQUEST with reason `argument`, naming every argument that does not fit
 */
export function parseArguments<A extends object>(Args: ArgumentsClass<A>, raw: JsonObject): Result<A, Failure> {
  return fitting(Args, raw) ?? converted(Args, raw);
}

/** The instance where every argument fits as it is, else undefined. */
function fitting<A extends object>(Args: ArgumentsClass<A>, raw: JsonObject): Result<A, Failure> | undefined {
  const fits = FITS.get(Args);
  for (const [name, value] of Object.entries(raw)) if (fits?.get(name)?.(value) !== true) return undefined;
  return ok(Object.assign(new Args(), raw));
}

function converted<A extends object>(Args: ArgumentsClass<A>, raw: JsonObject): Result<A, Failure> {
  const args = plainToInstance(Args, raw, { exposeDefaultValues: true });
  const problems = validateSync(args, { whitelist: true, forbidNonWhitelisted: true, stopAtFirstError: true });
  return problems.length === 0 ? ok(args) : err(refusal(problems.map(describe)));
}

function refusal(problems: readonly string[]): Failure {
  return failure('INVALID_REQUEST', `${problems.join('; ')}.`, {
    reason: 'argument',
    next_step: "Correct the arguments to fit the tool's input schema and call it again.",
  });
}

function describe({ property, constraints = {} }: ValidationError): string {
  const name = JSON.stringify(property.slice(0, 64));
  if ('whitelistValidation' in constraints) return `The tool has no argument ${name}`;
  return `The argument ${name} ${Object.values(constraints)[0] ?? 'does not fit'}`;
}

/** Tells a value that needs neither conversion nor a message. */
type Fits = (value: unknown) => boolean;

/** By class and argument, those of base classes included; filled while the classes are defined. */
const FITS = new Map<unknown, Map<string, Fits>>();

function argument(fits: Fits, ...decorators: readonly PropertyDecorator[]): PropertyDecorator {
  return (target, property) => {
    for (const decorate of decorators) decorate(target, property);
    fitsOf(target.constructor).set(String(property), fits);
  };
}

/** A class begins with what its base class has. */
function fitsOf(Args: object): Map<string, Fits> {
  const known = FITS.get(Args) ?? new Map(FITS.get(Object.getPrototypeOf(Args)));
  FITS.set(Args, known);
  return known;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

const TRUE_WORDS: ReadonlySet<unknown> = new Set([1, '1', 'true', 't', 'yes', 'y', 'on']);
const FALSE_WORDS: ReadonlySet<unknown> = new Set([0, '0', 'false', 'f', 'no', 'n', 'off']);

function lenientBoolean(value: unknown): unknown {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (TRUE_WORDS.has(word)) return true;
  return FALSE_WORDS.has(word) ? false : value;
}

function lenientInteger(value: unknown): unknown {
  return typeof value === 'string' && /^\s*[+-]?\d{1,15}\s*$/.test(value) ? Number(value) : value;
}
