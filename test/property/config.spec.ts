import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { plainLine } from '../../src/logging/core/plain-line.js';
import { formatProblem, loadConfig, printConfig } from '../../src/config/index.js';
import { knownVariables, SECTIONS, variableName } from '../../src/config/sections.js';
import { settingsOf } from '../../src/config/setting.js';

const value = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '1',
    '0',
    '70',
    'true',
    'a.example',
    '.b.example',
    '[::1]',
    '10.0.0.0/8',
    'text/html',
    'info',
    ' ',
    ',',
    '[]',
  ),
  fc.double().map(String),
  fc
    .array(fc.constantFrom('a.example', '1965', '::1', 'x:y', 'image/*', 'expired', 'gopher_fetch'))
    .map((list) => list.join(',')),
);
const environment = fc.dictionary(fc.oneof(fc.constantFrom(...knownVariables()), fc.string()), value, { maxKeys: 12 });

/** The variables whose values are printed. */
const SHOWN = SECTIONS.flatMap((section) =>
  settingsOf(section.type)
    .filter(({ secret }) => !secret)
    .map((setting) => variableName(section, setting)),
);

/** Nothing that ends a line, moves the cursor or turns the reading order round. */
const ONE_SAFE_LINE = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]*$/u;

describe('any environment', () => {
  test('gives a configuration or problems that are one safe line each', () => {
    fc.assert(
      fc.property(environment, (variables) => {
        const loaded = loadConfig(variables);
        if (loaded.ok) return;
        expect(loaded.error.length).toBeGreaterThan(0);
        for (const problem of loaded.error) expect(formatProblem(problem)).toMatch(ONE_SAFE_LINE);
      }),
    );
  });

  test('that is valid is printed in a form that can be read back', () => {
    const paths = fc.dictionary(
      fc.constantFrom('GEMINI_TOFU_STORAGE_PATH', 'GEMINI_CLIENT_CERTS_STORAGE_PATH', 'GOPHER_MCP_LOG_FILE_PATH'),
      fc.string({ unit: fc.constantFrom(...`ab/\\#=$"' \``) }),
    );
    fc.assert(
      fc.property(fc.oneof(paths, fc.dictionary(fc.constantFrom(...SHOWN), value, { maxKeys: 2 })), (given) => {
        const loaded = loadConfig(given);
        // What a terminal must not see is printed as an escape, and what has all quotes cannot be quoted.
        fc.pre(loaded.ok && Object.values(given).every((text) => /^[ -~]*$/.test(text) && !/'.*"|".*'/.test(text)));
        const text = printConfig(loaded.value);
        const again = loadConfig({}, { envFile: Buffer.from(text) });
        expect(again.ok && { ...again.value, notices: [] }).toEqual({ ...loaded.value, notices: [] });
      }),
    );
  });
});

test('any record becomes one safe plain line', () => {
  const record = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary' }));
  fc.assert(
    fc.property(
      fc.oneof(
        record.map((members) => JSON.stringify(members)),
        fc.string({ unit: 'binary' }),
      ),
      (text) => {
        const line = plainLine(text);
        expect(line.endsWith('\n')).toBe(true);
        expect(line.slice(0, -1)).toMatch(ONE_SAFE_LINE);
      },
    ),
  );
});
