import { describe, expect, test } from '@jest/globals';
import { FLAGS } from '../../../src/bin/arguments.js';
import { findCommand, helpText } from '../../../src/bin/command-list.js';
import { COMMAND_TABLE } from '../../../src/cli/command-table.js';

test('help names every flag and command and fits a terminal', () => {
  const text = helpText();
  for (const { name } of FLAGS) expect(text).toContain(`--${name}`);
  for (const { name, summary } of COMMAND_TABLE) expect(text).toMatch(new RegExp(`^  ${name} +${summary}$`, 'm'));
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
});

describe('a command', () => {
  test.each(COMMAND_TABLE.map(({ name }) => [name]))('%s is found', (name) => {
    expect(findCommand(name)).toMatchObject({ ok: true, value: { name } });
  });

  test.each([
    ['fetc', 'unknown command "fetc"; did you mean "fetch"?'],
    ['serve', 'unknown command "serve"; the commands are fetch, trust,'],
  ])('%s is refused with usage', (name, message) => {
    const found = findCommand(name);
    const text = found.ok ? '' : found.error;
    expect(text).toMatch(/^usage: gopher-mcp \[options\]\n {7}gopher-mcp <command> \[options\]\ngopher-mcp: error: /);
    expect(text).toContain(message);
  });
});
