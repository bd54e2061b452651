/** What docs/operations.md says of who may call can be copied as it stands. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parseCommandArguments } from '../../src/cli/command-arguments.js';
import { keyCommand } from '../../src/cli/key.command.js';
import { ERROR_CODES } from '../../src/common/error-codes.js';
import { loadConfig } from '../../src/config/index.js';
import { REPOSITORY } from '../support/server-under-test.js';

const page = readFileSync(path.join(REPOSITORY, 'docs', 'operations.md'), 'utf8');
const chapter = page.split('\n## Who may call\n')[1]?.split('\n## ')[0] ?? '';
const blocks = (language: string): string[] =>
  [...chapter.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\n\`\`\``, 'g'))].map(([, text = '']) => text);

describe('the chapter on who may call', () => {
  test('has settings that the server takes, without a remark', () => {
    const ways = blocks('env').map((text) => {
      const loaded = loadConfig({}, { envFile: Buffer.from(text) });
      if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
      expect(loaded.value.notices.map(({ level }) => level)).toEqual(['info']);
      return loaded.value.auth.auth;
    });
    expect(ways).toEqual([['api-key'], ['jwt']]);
  });

  test('has commands that there are', () => {
    const lines = blocks('sh').flatMap((text) => text.split('\n'));
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) {
      const [program, group, name, ...argv] = line.split(' ');
      expect([program, group]).toEqual(['gopher-mcp', 'key']);
      const command = keyCommand.commands.find((one) => one.name === name);
      expect(command && parseCommandArguments(command, argv).ok).toBe(true);
    }
  });

  test('names codes that there are', () => {
    const named = [...chapter.matchAll(/\d{3}, `([A-Z_]+)`/g)].map(([, code = '']) => code);
    expect(named).toHaveLength(3);
    for (const code of named) expect(Object.keys(ERROR_CODES)).toContain(code);
  });
});
