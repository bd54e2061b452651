/**
 * What is published, in the form in which people get it: the npm archive run by npx, and the bundle for desktop clients. Both are made
 * from a copy of the checkout, since packing changes package.json for a moment.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TOOL_TABLE } from '../../src/mcp/tool-table.js';
import { isObject, type JsonObject } from '../support/json.js';
import { McpStdioClient } from '../support/mcp-stdio-client.js';
import { serverEnvironment, REPOSITORY } from '../support/server-under-test.js';

const MIB = 1024 * 1024;
/** What packing needs of a checkout. */
const NEEDED = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  '.npmrc',
  'scripts',
  'src',
];

let place: string;
let checkout: string;

beforeAll(() => {
  place = mkdtempSync(path.join(tmpdir(), 'gopher-mcp-packed-'));
  checkout = path.join(place, 'checkout');
  for (const name of NEEDED) cpSync(path.join(REPOSITORY, name), path.join(checkout, name), { recursive: true });
  symlinkSync(path.join(REPOSITORY, 'node_modules'), path.join(checkout, 'node_modules'), 'junction');
});

afterAll(() => rmSync(place, { recursive: true, force: true }));

function run(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, [...args], { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

function manifestIn(folder: string, name = 'package.json'): JsonObject {
  const manifest: unknown = JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
  if (!isObject(manifest)) throw new Error(`${name} is no object`);
  return manifest;
}

/** Greets a server and asks for its tools. */
async function toolsOf(program: string, args: readonly string[], folder: string, more: Record<string, string> = {}) {
  const client = new McpStdioClient({
    command: { program, args },
    folder,
    environment: { ...serverEnvironment(folder), ...more },
  });
  try {
    const { serverInfo } = await client.initialize();
    const { result } = await client.request('tools/list', {});
    return { serverInfo, tools: result?.['tools'] };
  } finally {
    await client.close();
  }
}

describe('the npm archive', () => {
  let archive: string;

  beforeAll(() => {
    run('npm', ['pack', '--silent', '--pack-destination', place], checkout);
    archive = path.join(place, readdirSync(place).find((name) => name.endsWith('.tgz')) ?? 'none');
    run('tar', ['-xzf', archive], place);
  });

  test('asks for nothing to be installed, and packing leaves package.json as it was', () => {
    const published = manifestIn(path.join(place, 'package'));
    expect(Object.keys(published)).not.toEqual(expect.arrayContaining(['dependencies']));
    expect(published).toMatchObject({ name: 'gopher-mcp', bin: { 'gopher-mcp': 'dist/main.js' } });
    expect(manifestIn(checkout)).toEqual(manifestIn(REPOSITORY));
  });

  test('holds the program, its notices and nothing of a checkout, and is small', () => {
    const top = readdirSync(path.join(place, 'package')).sort();
    expect(top).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'package.json']);
    expect(statSync(archive).size).toBeLessThan(2 * MIB);
    const notices = readFileSync(path.join(place, 'package', 'dist', 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    for (const name of ['@nestjs/core', '@modelcontextprotocol/server', 'class-validator', 'pino', 'rxjs'])
      expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'));
    expect(notices).not.toMatch(/^(jest|typescript|eslint) \d/m);
  });

  test('npx starts it from the archive', async () => {
    const folder = mkdtempSync(path.join(place, 'npx-'));
    const { serverInfo, tools } = await toolsOf('npx', ['--yes', '--package', archive, 'gopher-mcp'], folder);
    expect(serverInfo).toMatchObject({ name: 'gopher-mcp', version: manifestIn(REPOSITORY)['version'] });
    expect(tools).toHaveLength(TOOL_TABLE.length);
  });
});

describe('the bundle for desktop clients', () => {
  let unpacked: string;
  let manifest: JsonObject;

  beforeAll(() => {
    run(process.execPath, ['scripts/desktop-bundle.mjs'], checkout);
    const build = path.join(checkout, 'build');
    const bundle = path.join(build, readdirSync(build).find((name) => name.endsWith('.mcpb')) ?? 'none');
    unpacked = path.join(place, 'unpacked');
    const cli = path.join(REPOSITORY, 'node_modules', '@anthropic-ai', 'mcpb', 'dist', 'cli', 'cli.js');
    run(process.execPath, [cli, 'unpack', bundle, unpacked], place);
    manifest = manifestIn(unpacked, 'manifest.json');
  });

  test('is JavaScript alone, and says what it is', () => {
    const files = readdirSync(unpacked, { recursive: true, encoding: 'utf8' });
    expect(files.filter((name) => /\.(node|exe|dll|so|dylib)$/.test(name))).toEqual([]);
    expect(existsSync(path.join(unpacked, 'dist', 'THIRD-PARTY-NOTICES.txt'))).toBe(true);
    expect(manifest).toMatchObject({ name: 'gopher-mcp', version: manifestIn(REPOSITORY)['version'] });
    expect(manifest['tools']).toEqual(TOOL_TABLE.map(({ name, description }) => ({ name, description })));
  });

  test.each([
    ['every field of the form is left empty', (field: string) => `\${user_config.${field}}`],
    ['empty fields come as empty text', () => ''],
  ])('starts as its manifest says when %s', async (_, valueOf) => {
    const { command, args, env } = configOf(manifest);
    const given = args.map((arg) => arg.replaceAll('${__dirname}', unpacked));
    const filled = Object.entries(env).map(([variable, text]) => {
      const field = /^\$\{user_config\.(\w+)\}$/.exec(text)?.[1] ?? '';
      return [variable, valueOf(field)];
    });
    const { tools } = await toolsOf(command, given, place, Object.fromEntries(filled));
    expect(tools).toHaveLength(TOOL_TABLE.length);
  });

  test('takes what a person fills in', async () => {
    const { command, args, env } = configOf(manifest);
    expect(Object.keys(env)).toContain('GOPHER_MCP_READ_ONLY');
    const given = args.map((arg) => arg.replaceAll('${__dirname}', unpacked));
    const { tools } = await toolsOf(command, given, place, { GOPHER_MCP_READ_ONLY: 'true' });
    expect(tools).toHaveLength(TOOL_TABLE.filter(({ annotations }) => annotations.readOnlyHint).length);
  });
});

function configOf(manifest: JsonObject): { command: string; args: string[]; env: Record<string, string> } {
  const { server } = manifest;
  const config = isObject(server) ? server['mcp_config'] : undefined;
  if (!isObject(config)) throw new Error('the manifest starts nothing');
  return JSON.parse(JSON.stringify(config));
}
