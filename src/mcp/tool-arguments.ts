/**
 * Tool arguments as class-validator classes: one decorator of this file for each kind of argument, with the leniency that
 * clients rely on (numbers and booleans may come as text). What does not fit is an INVALID_REQUEST that names the
 * argument; unknown arguments are refused, because a misspelled one would otherwise silently do nothing.
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
  return all(IsDefined(), IsString({ message: 'must be text' }));
}

/** A text that may be null or left out. */
export function OptionalTextArgument(): PropertyDecorator {
  return all(
    ValidateIf((_args, value) => value !== null),
    IsString({ message: 'must be text or null' }),
  );
}

/** true or false; also 1, 0, yes, no, on, off, t, f, y, n in any case. */
export function FlagArgument(): PropertyDecorator {
  return all(
    Transform(({ value }: { value: unknown }) => lenientBoolean(value)),
    IsBoolean({ message: 'must be true or false' }),
  );
}

/** A whole number of at least `min`; also as text. */
export function WholeNumberArgument(min?: number): PropertyDecorator {
  const message = min === undefined ? 'must be a whole number' : `must be a whole number of at least ${min}`;
  return all(
    Transform(({ value }: { value: unknown }) => lenientInteger(value)),
    IsInt({ message }),
    ...(min === undefined ? [] : [Min(min, { message })]),
  );
}

/** One of a closed list of words. */
export function ChoiceArgument(choices: readonly string[]): PropertyDecorator {
  return all(IsDefined(), IsIn(choices, { message: `must be one of ${choices.join(', ')}` }));
}

/** A list of texts. */
export function TextListArgument(): PropertyDecorator {
  const message = 'must be a list of texts';
  return all(IsDefined(), IsArray({ message }), IsString({ each: true, message }));
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

function all(...decorators: readonly PropertyDecorator[]): PropertyDecorator {
  return (target, property) => {
    for (const decorate of decorators) decorate(target, property);
  };
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
