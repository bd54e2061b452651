/** The README is tried as a newcomer tries it: every configuration in it is parsed and what it says is started; the tour is walked. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { TOOL_TABLE } from '../../src/mcp/tool-table.js';
import { McpStdioClient } from '../support/mcp-stdio-client.js';
import { Program } from '../support/program.js';
import { makeScratchFolder, removeScratchFolder, REPOSITORY, serverEnvironment } from '../support/server-under-test.js';

const README = readFileSync(path.join(REPOSITORY, 'README.md'), 'utf8');
const ENTRY = path.join(REPOSITORY, 'dist', 'main.js');

let folder: string;
beforeAll(async () => {
  folder = await makeScratchFolder();
});
afterAll(() => removeScratchFolder(folder));

function blocks(language: string): string[] {
  return [...README.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, text = '']) => text);
}

interface ServerEntry {
  readonly type?: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly url?: string;
}

/** The servers of all configurations. */
const ENTRIES = blocks('json').flatMap((block): ServerEntry[] => {
  const { mcpServers, servers } = JSON.parse(block);
  return Object.values(mcpServers ?? servers);
});
/** `claude mcp add …`, as words. */
const ADDED = blocks('sh')
  .flatMap((block) => block.split('\n'))
  .filter((line) => line.startsWith('claude mcp add '))
  .map((line) => line.split(' '));

const here = (word: string): string => word.replace('/path/to/gopher-mcp', REPOSITORY);

async function toolCount(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const program = command === 'node' ? process.execPath : command;
  const environment = { ...serverEnvironment(folder), ...env };
  const client = new McpStdioClient({ command: { program, args: args.map(here) }, folder, environment });
  try {
    await client.initialize();
    const { result } = await client.request('tools/list', {});
    const tools = result?.['tools'];
    return Array.isArray(tools) ? tools.length : 0;
  } finally {
    await client.close();
  }
}

describe('the configurations', () => {
  const started = ENTRIES.filter(({ command }) => command !== undefined);
  const addresses = [
    ...ENTRIES.flatMap(({ url }) => url ?? []),
    ...ADDED.flatMap((words) => words.filter((word) => word.startsWith('http:'))),
  ];

  test('are there for clients that start a server, and for those that speak HTTP', () => {
    expect(started.length).toBeGreaterThanOrEqual(3);
    expect(addresses).toHaveLength(2);
    expect(ADDED).toHaveLength(2);
  });

  test.each(started.map((entry, index) => [index + 1, entry] as const))(
    'block %i starts a server',
    async (_, entry) => {
      const { command = '', args = [], env = {} } = entry;
      const readOnly = env['GOPHER_MCP_READ_ONLY'] === 'true';
      const served = TOOL_TABLE.filter(({ annotations }) => !readOnly || annotations.readOnlyHint);
      expect(await toolCount(command, args, env)).toBe(served.length);
    },
  );

  test('the command for Claude Code starts a server', async () => {
    const [words = []] = ADDED.filter((line) => line.includes('--'));
    const [command = '', ...args] = words.slice(words.indexOf('--') + 1);
    expect(await toolCount(command, args)).toBe(TOOL_TABLE.length);
  });

  test('the addresses are those of a server that was started without flags', () => {
    expect(new Set(addresses)).toEqual(new Set(['http://127.0.0.1:8000/mcp']));
    const { stdout } = spawnSync(process.execPath, [ENTRY, '--print-config'], {
      env: serverEnvironment(folder),
      encoding: 'utf8',
    });
    expect(stdout).toMatch(/^GOPHER_MCP_HOST=127\.0\.0\.1$/m);
    expect(stdout).toMatch(/^GOPHER_MCP_PORT=8000$/m);
  });
});

describe('the tour', () => {
  let demo: Program;
  let ports: readonly string[];

  beforeAll(async () => {
    const args = [ENTRY, 'demo', '--gopher-port', '0', '--gemini-port', '0'];
    demo = await Program.start(process.execPath, args, { env: serverEnvironment(folder), cwd: folder });
    await demo.until(() => /gemini:\/\/127\.0\.0\.1:\d+/.test(demo.output));
    ports = ['gopher', 'gemini'].map(
      (scheme) => new RegExp(`${scheme}://127\\.0\\.0\\.1:(\\d+)`).exec(demo.output)?.[1] ?? '',
    );
  });
  afterAll(() => demo.stop());

  const steps = blocks('sh')
    .flatMap((block) => block.split('\n'))
    .filter((line) => line.startsWith('node dist/main.js fetch'))
    .map((line) => line.replace(/\s+#.*$/, ''));

  test('has steps for both protocols', () => {
    expect(steps.length).toBeGreaterThanOrEqual(4);
  });

  test.each(steps)('%s', (step) => {
    const [gopher = '', gemini = ''] = ports;
    const words = step.replace(':7070', `:${gopher}`).replace(':1966', `:${gemini}`).split(' ').slice(2);
    const { status, stdout, stderr } = spawnSync(process.execPath, [ENTRY, ...words], {
      env: { ...serverEnvironment(folder), GOPHER_ALLOW_LOCAL_HOSTS: 'true', GEMINI_ALLOW_LOCAL_HOSTS: 'true' },
      cwd: folder,
      encoding: 'utf8',
    });
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout.split('\n').length).toBeGreaterThan(1);
  });
});

describe('the picture', () => {
  test('shows what a run gives', () => {
    const { stdout, status } = spawnSync(process.execPath, ['scripts/picture.mjs', '--check'], {
      cwd: REPOSITORY,
      encoding: 'utf8',
    });
    expect({ stdout, status }).toEqual({ stdout: 'docs/what-a-model-sees.svg: up to date\n', status: 0 });
  });
});
