import { describe, expect, test } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import fc from 'fast-check';
import {
  ChoiceArgument,
  FlagArgument,
  OptionalTextArgument,
  parseArguments,
  TextArgument,
  TextListArgument,
  WholeNumberArgument,
} from '../../src/mcp/tool-arguments.js';

class BaseArguments {
  @TextArgument()
  text = '';

  @WholeNumberArgument(0)
  number = 0;

  @WholeNumberArgument()
  unbounded = 0;
}

class EveryArgument extends BaseArguments {
  @OptionalTextArgument()
  optional: string | null = null;

  @FlagArgument()
  flag = false;

  @ChoiceArgument(['one', 'two'])
  choice = 'one';

  @TextListArgument()
  list: string[] = [];
}

const value = fc.oneof(
  fc.constantFrom<unknown>(
    'one',
    'two',
    '',
    ' 7 ',
    'yes',
    'off',
    null,
    true,
    false,
    0,
    1,
    -1,
    1.5,
    '12',
    '-3',
    [],
    ['a'],
  ),
  fc.string(),
  fc.integer(),
  fc.double(),
  fc.array(fc.oneof(fc.string(), fc.constant(null)), { maxLength: 3 }),
  fc.object({ maxDepth: 1 }),
);
const names = [
  'text',
  'number',
  'unbounded',
  'optional',
  'flag',
  'choice',
  'list',
  'unknown',
  '__proto__',
  'constructor',
];
const raw = fc
  .array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 6 })
  .map((members): unknown =>
    JSON.parse(`{${members.map(([name, v]) => `${JSON.stringify(name)}:${json(v)}`).join()}}`),
  );

function json(v: unknown): string {
  return v === undefined ? 'null' : JSON.stringify(v);
}

describe('arguments that fit as they are skip conversion and validation', () => {
  test('which changes neither what is accepted nor what it becomes', () => {
    fc.assert(
      fc.property(raw, (given) => {
        const args = plainToInstance(EveryArgument, given, { exposeDefaultValues: true });
        const problems = validateSync(args, { whitelist: true, forbidNonWhitelisted: true, stopAtFirstError: true });
        const parsed = parseArguments(EveryArgument, { ...Object(given) });
        expect(parsed.ok).toBe(problems.length === 0);
        if (parsed.ok) {
          expect(parsed.value).toBeInstanceOf(EveryArgument);
          expect(parsed.value).toEqual(args);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
