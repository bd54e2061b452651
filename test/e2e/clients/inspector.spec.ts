/** The command line of the official Inspector against the built server. One process for each request; it shows no progress. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { entryOf } from '../../outside/programs.mjs';
import { isObject, lookup, type Json, type JsonObject } from '../../support/json.js';
import { POLICY, surround, TRANSPORTS, WITHIN_MS, type Surroundings } from './surroundings.js';

jest.setTimeout(WITHIN_MS);

/** What it ends with when a tool says isError. */
const EXIT_TOOL_IS_ERROR = 5;

/** How one request ended. */
interface Outcome {
  readonly exitCode: number | null;
  readonly result: Json | undefined;
  readonly stderr: string;
}

describe.each<['legacy' | 'modern', string]>([
  ['legacy', '2025-11-25'],
  ['modern', '2026-07-28'],
])('the Inspector with the era %s', (era, revision) => {
  describe.each(TRANSPORTS)('over %s', (transport) => {
    let around: Surroundings;

    beforeAll(async () => {
      around = await surround(transport);
    });

    afterAll(() => around.close());

    test(`agrees on ${revision}`, async () => {
      const { exitCode, result } = await inspect('initialize');
      expect(exitCode).toBe(0);
      expect(result).toMatchObject({ protocolVersion: revision, serverInfo: { name: 'gopher-mcp' } });
    });

    test('finds no tool that a client could not use', async () => {
      const { exitCode, result, stderr } = await inspect('tools/list', '--strict');
      expect(lookup(result, 'tools.0.name')).toBe('gopher_fetch');
      // It is silent when it finds neither an error nor a warning.
      expect(stderr).toBe('');
      expect(exitCode).toBe(0);
    });

    test('calls a tool', async () => {
      const { exitCode, result } = await inspect('tools/call', ...fetchArguments(around.gopher.url('0text')));
      expect(result).toMatchObject({ structuredContent: { kind: 'text' } });
      expect(exitCode).toBe(0);
    });

    test('tells a failed call by its exit code, and shows what failed', async () => {
      const { exitCode, result } = await inspect('tools/call', ...fetchArguments('gopher://127.0.0.1:22/'));
      expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: 'BLOCKED' } } });
      expect(exitCode).toBe(EXIT_TOOL_IS_ERROR);
    });

    test('reads the policy, of which it knows by the list', async () => {
      const listed = await inspect('resources/list');
      const uri = lookup(listed.result, 'resources.0.uri');
      expect(uri).toBe(POLICY);
      const { result } = await inspect('resources/read', '--uri', String(uri));
      expect(lookup(result, 'contents.0.text')).toContain('allow_local_hosts = true');
    });

    test('gets a prompt, and is told when there is none', async () => {
      const { result } = await inspect(
        'prompts/get',
        '--prompt-name',
        'explore_capsule',
        '--prompt-args=url=gemini://x/',
      );
      expect(lookup(result, 'messages.0.content.text')).toContain('gemini://x/');
      const missing = await inspect('prompts/get', '--prompt-name', 'nothing');
      expect(missing.exitCode).not.toBe(0);
      expect(missing.stderr).toContain('There is no prompt');
    });

    test('frees the far server when it is interrupted', async () => {
      const process = start('tools/call', ...fetchArguments(around.gopher.url('0silence')));
      await around.gopher.waiting(1);
      process.kill('SIGKILL');
      await around.gopher.idle();
    });

    function start(method: string, ...options: readonly string[]): ChildProcess {
      const { folder, server } = around;
      const words = ['--format', 'json', '--protocol-era', era, '--method', method, ...options];
      if ('url' in server) words.unshift(server.url);
      else {
        words.unshift(server.command, ...server.args);
        // It hands none of its own variables on.
        words.push(
          '--cwd',
          server.cwd,
          ...Object.entries(server.env).flatMap(([name, value]) => ['-e', `${name}=${value}`]),
        );
      }
      return spawn(entryOf('node'), [entryOf('inspector'), '--cli', ...words], {
        cwd: folder,
        // It keeps settings of its own below HOME.
        env: { ...process.env, HOME: folder },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    }

    async function inspect(method: string, ...options: readonly string[]): Promise<Outcome> {
      const process = start(method, ...options);
      const [stdout, stderr, [exitCode]] = await Promise.all([
        textOf(process.stdout),
        textOf(process.stderr),
        once(process, 'close'),
      ]);
      const shown: Json = stdout === '' ? {} : JSON.parse(stdout);
      return { exitCode, result: isObject(shown) ? shown['result'] : undefined, stderr };
    }
  });
});

function fetchArguments(url: string): readonly string[] {
  const args: JsonObject = { url };
  return ['--tool-name', 'gopher_fetch', '--tool-args-json', JSON.stringify(args)];
}

async function textOf(stream: AsyncIterable<Buffer> | null): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream ?? []) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
