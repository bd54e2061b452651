import { PassThrough } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { ask } from '../../../src/cli/ask.js';
import { terminalOf } from '../../../src/cli/terminal.js';

function streams(): { input: PassThrough; output: PassThrough; shown: () => string } {
  const [input, output] = [new PassThrough(), new PassThrough()];
  return { input, output, shown: () => String(output.read() ?? '') };
}

describe('a question', () => {
  test('is shown, and what is typed is its answer', async () => {
    const { input, output, shown } = streams();
    const asked = ask({ input, output }, 'Well? ', false);
    input.write('y es\r');
    expect(await asked).toBe('y es');
    expect(shown()).toContain('Well? ');
  });

  test('with a hidden answer shows nothing of what is typed', async () => {
    const { input, output, shown } = streams();
    const asked = ask({ input, output }, 'Word: ', true);
    input.write('xyzzy\r');
    expect(await asked).toBe('xyzzy');
    expect(shown()).toBe('Word: \n');
  });

  test.each([
    ['Ctrl+C', '\u0003'],
    ['Ctrl+D', '\u0004'],
  ])('has no answer after %s', async (_name, key) => {
    const { input, output } = streams();
    const asked = ask({ input, output }, 'Well? ', false);
    input.write(key);
    expect(await asked).toBeNull();
  });

  test('has no answer when the input ends', async () => {
    const { input, output, shown } = streams();
    const asked = ask({ input, output }, 'Well? ', true);
    input.end();
    expect(await asked).toBeNull();
    expect(shown()).toBe('Well? \n');
  });
});

describe('a terminal', () => {
  const TTY = { isTTY: true, columns: 120 };
  const FILE = {};

  test.each([
    [
      'everything is one',
      {},
      TTY,
      TTY,
      TTY,
      { columns: 120, hasColours: true, isInteractive: true, showsProgress: true },
    ],
    ['the output goes elsewhere', {}, TTY, FILE, TTY, { columns: null, hasColours: false, isInteractive: true }],
    ['the input comes from elsewhere', {}, FILE, TTY, TTY, { hasColours: true, isInteractive: false }],
    ['messages go elsewhere', {}, TTY, TTY, FILE, { isInteractive: false, showsProgress: false }],
    ['it does not tell its width', {}, TTY, { isTTY: true }, TTY, { columns: 80 }],
    ['NO_COLOR is set', { NO_COLOR: '1' }, TTY, TTY, TTY, { columns: 120, hasColours: false }],
    ['NO_COLOR is empty', { NO_COLOR: '' }, TTY, TTY, TTY, { hasColours: true }],
    ['it is dumb', { TERM: 'dumb' }, TTY, TTY, TTY, { hasColours: false }],
  ])('where %s', (_name, env, stdin, stdout, stderr, shows) => {
    expect(terminalOf(env, { stdin, stdout, stderr })).toMatchObject(shows);
  });
});
