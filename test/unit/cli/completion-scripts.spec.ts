import { spawnSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { allCommands } from '../../../src/cli/command-table.js';
import { completionScript, SHELLS } from '../../../src/cli/completion-scripts.js';

const commands = await allCommands();

/** Whether the program is on this machine. */
const has = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;

/** What bash offers when Tab is pressed behind these words, the last of which is being typed. */
function offered(...words: readonly string[]): string[] {
  const line = words.map((word) => `'${word}'`).join(' ');
  const script = `${completionScript('bash', commands)}
COMP_WORDS=(gopher-mcp ${line}); COMP_CWORD=${words.length}; _gopher_mcp; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((word) => word !== '');
}

describe('completion', () => {
  test.each(SHELLS.map((shell) => [shell]))('%s accepts its script', (shell) => {
    const script = completionScript(shell, commands);
    for (const { name } of commands) expect(script).toContain(name);
    if (!has(shell)) return;
    const { status, stderr } = spawnSync(shell, ['-n'], { input: script, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });

  const onBash = has('bash') ? test : test.skip;

  onBash('bash offers the commands', () => {
    expect(offered('')).toEqual([...commands.map(({ name }) => name), '--help', '--version']);
    expect(offered('fe')).toEqual(['fetch']);
  });

  onBash('bash offers what is below a command', () => {
    expect(offered('trust', '')).toEqual(['list', 'pin', 'remove', '--help']);
    expect(offered('trust', 'pin', '--f')).toEqual(['--fingerprint']);
  });

  onBash('bash offers options, and the values of an option', () => {
    expect(offered('fetch', 'gopher', '--se')).toEqual(['--search']);
    expect(offered('fetch', 'gopher', '--format', '')).toEqual(['full', 'text', 'links', 'outline']);
    expect(offered('fetch', 'gopher', '--search', '')).toEqual([]);
    expect(offered('identity', 'create', 'x', '--key-type', 'e')).toEqual(['ec']);
  });
});
