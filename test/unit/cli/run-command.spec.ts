import { describe, expect, test } from '@jest/globals';
import type { CommandArguments } from '../../../src/cli/command-arguments.js';
import { allCommands, COMMAND_TABLE } from '../../../src/cli/command-table.js';
import { isGroup, type CommandGroup, type RunnableCommand } from '../../../src/cli/command.js';
import { HELP_COLUMNS } from '../../../src/cli/help.js';
import { CommandBench } from '../../support/command-bench.js';

const commands = await allCommands();

let seen: CommandArguments | undefined;
const sample: RunnableCommand = {
  name: 'sample',
  summary: 'do a thing',
  operands: [{ name: 'URL' }, { name: 'MORE', optional: true }],
  options: {
    json: { type: 'boolean', short: 'j', description: 'as JSON' },
    terms: { type: 'string', value: 'TERMS', description: 'words' },
    kind: { type: 'string', choices: ['a', 'b'], description: 'which' },
    offset: { type: 'string', value: 'N', integer: { min: 0, max: 9 }, description: 'where' },
    name: { type: 'string', value: 'NAME', multiple: true, description: 'names' },
  },
  run: (_context, args) => {
    seen = args;
    return Promise.resolve(0);
  },
};
const group: CommandGroup = { name: 'group', summary: 'do things', commands: [sample] };

describe('the words of a command', () => {
  test('reach it, checked', async () => {
    const argv = [
      'u',
      '--json',
      '--terms',
      'x y',
      '--kind=a',
      '--offset',
      '3',
      '--name',
      'n',
      '--name=-m',
      '--',
      '-rest',
    ];
    expect(await new CommandBench().run(sample, ...argv)).toBe(0);
    expect(seen?.operands).toEqual(['u', '-rest']);
    expect([seen?.flag('json'), seen?.text('terms'), seen?.text('kind'), seen?.integer('offset')]).toEqual([
      true,
      'x y',
      'a',
      3,
    ]);
    expect(seen?.texts('name')).toEqual(['n', '-m']);
  });

  test('leave what was not given at nothing', async () => {
    await new CommandBench().run(sample, 'u');
    expect([seen?.flag('json'), seen?.text('terms'), seen?.integer('offset'), seen?.texts('name')]).toEqual([
      false,
      null,
      null,
      [],
    ]);
    expect(() => seen?.flag('bogus')).toThrow(TypeError);
    expect(() => seen?.operand(1)).toThrow(TypeError);
  });

  test.each<[string[], string]>([
    [[], 'URL is missing'],
    [['u', 'v', 'w'], 'unexpected argument "w"'],
    [['u', '--bogus'], 'unknown option "--bogus"'],
    [['u', '--tems'], 'unknown option "--tems"; did you mean --terms?'],
    [['u', '--__proto__'], 'unknown option "--__proto__"'],
    [['u', '--json=1'], '--json takes no value'],
    [['u', '--terms'], '--terms needs a value'],
    [['u', '--terms', '--json'], '--terms needs a value'],
    [['u', '--kind', 'c'], '--kind must be one of a, b, got "c"'],
    [['u', '--offset', '10'], '--offset must be an integer from 0 to 9, got "10"'],
    [['u', '--offset', '1.5'], '--offset must be an integer from 0 to 9, got "1.5"'],
    [['u', '\u001b[2J', 'w'], 'unexpected argument "w"'],
  ])('%j is refused', async (argv, message) => {
    const bench = new CommandBench();
    expect(await bench.run(sample, ...argv)).toBe(2);
    expect(bench.stderr).toBe(`usage: gopher-mcp sample [options] URL [MORE]\ngopher-mcp: error: ${message}\n`);
    expect(bench.stdout).toBe('');
  });

  test.each([[[]], [['sampel']], [['nothing']]])('%j names no command of a group', async (argv) => {
    const bench = new CommandBench();
    expect(await bench.run(group, ...argv)).toBe(2);
    expect(bench.stderr).toContain('usage: gopher-mcp group <command>');
    expect(bench.stderr).toContain('sample');
  });
});

describe('help', () => {
  test('is the same for --help and -h, whatever follows', async () => {
    const [long, short] = [new CommandBench(), new CommandBench()];
    expect(await long.run(sample, '--help', '--bogus')).toBe(0);
    expect(await short.run(group, 'sample', '-h')).toBe(0);
    expect(long.stdout).toContain('--offset N');
    expect(short.stdout).toBe(long.stdout.replace('gopher-mcp sample', 'gopher-mcp group sample'));
  });

  const paths = commands.flatMap((one) =>
    isGroup(one)
      ? [one, ...one.commands].map(({ name }) => (name === one.name ? [name] : [one.name, name]))
      : [[one.name]],
  );

  test.each(paths.map((path) => ({ path: path.join(' ') })))(
    'of $path names every option and fits a terminal',
    async ({ path }) => {
      const [name, ...below] = path.split(' ');
      const command = commands.find((one) => one.name === name);
      if (command === undefined) throw new Error(`no command ${path}`);
      const bench = new CommandBench();
      expect(await bench.run(command, ...below, '--help')).toBe(0);
      const runnable = isGroup(command) ? command.commands.find((one) => one.name === below[0]) : command;
      for (const option of Object.keys(runnable?.options ?? {})) expect(bench.stdout).toContain(`--${option}`);
      for (const line of bench.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(HELP_COLUMNS);
    },
  );
});

test('the table says of a command what the command says of itself', () => {
  expect(COMMAND_TABLE.map(({ name, summary }) => ({ name, summary }))).toEqual(
    commands.map(({ name, summary }) => ({ name, summary })),
  );
});
