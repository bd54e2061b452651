/** The command line of the official Inspector against the built server. One process for each request; it shows no progress. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { entryOf } from '../../outside/programs.mjs';
import { HttpServerProcess } from '../../support/http-server-process.js';
import { isObject, lookup, type Json, type JsonObject } from '../../support/json.js';
import {
  makeScratchFolder,
  removeScratchFolder,
  serverCommand,
  serverEnvironment,
} from '../../support/server-under-test.js';
import { LOCAL_GOPHER, SmallGopher } from '../../support/small-gopher.js';
import { answerSmall } from './behaviour.js';

/** What it ends with when a tool says isError. */
const EXIT_TOOL_IS_ERROR = 5;

const WITHIN_MS = 60_000;

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
  describe.each<'stdio' | 'http'>(['stdio', 'http'])('over %s', (transport) => {
    let folder: string;
    let gopher: SmallGopher;
    let http: HttpServerProcess | undefined;
    let target: readonly string[];

    beforeAll(async () => {
      folder = await makeScratchFolder();
      gopher = await SmallGopher.start(answerSmall);
      const { program, args } = serverCommand();
      target = [program, ...args];
      if (transport === 'http') {
        http = await HttpServerProcess.start(serverCommand(), folder, serverEnvironment(folder, LOCAL_GOPHER));
        target = [`${http.origin}/mcp`];
      }
    }, WITHIN_MS);

    afterAll(async () => {
      await http?.close();
      await gopher.close();
      await removeScratchFolder(folder);
    }, WITHIN_MS);

    test(
      `agrees on ${revision}`,
      async () => {
        const { exitCode, result } = await inspect('initialize');
        expect(exitCode).toBe(0);
        expect(result).toMatchObject({ protocolVersion: revision, serverInfo: { name: 'gopher-mcp' } });
      },
      WITHIN_MS,
    );

    test(
      'finds no tool that a client could not use',
      async () => {
        const { exitCode, result, stderr } = await inspect('tools/list', '--strict');
        expect(lookup(result, 'tools')).toHaveLength(8);
        expect(stderr).toContain('0 errors');
        expect(exitCode).toBe(0);
      },
      WITHIN_MS,
    );

    test(
      'calls a tool',
      async () => {
        const { exitCode, result } = await inspect('tools/call', ...fetchArguments(gopher.url('0text')));
        expect(result).toMatchObject({ structuredContent: { kind: 'text' } });
        expect(exitCode).toBe(0);
      },
      WITHIN_MS,
    );

    test(
      'tells a failed call by its exit code, and shows what failed',
      async () => {
        const { exitCode, result } = await inspect('tools/call', ...fetchArguments('gopher://127.0.0.1:22/'));
        expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: 'BLOCKED' } } });
        expect(exitCode).toBe(EXIT_TOOL_IS_ERROR);
      },
      WITHIN_MS,
    );

    test(
      'reads the policy, of which it knows by the list',
      async () => {
        const listed = await inspect('resources/list');
        const uri = lookup(listed.result, 'resources.0.uri');
        expect(uri).toBe('gopher-mcp://policy');
        const { result } = await inspect('resources/read', '--uri', String(uri));
        expect(lookup(result, 'contents.0.text')).toContain('allow_local_hosts = true');
      },
      WITHIN_MS,
    );

    test(
      'gets a prompt, and is told when there is none',
      async () => {
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
      },
      WITHIN_MS,
    );

    test(
      'frees the far server when it is interrupted',
      async () => {
        const process = start('tools/call', ...fetchArguments(gopher.url('0silence')));
        await gopher.waiting(1);
        process.kill('SIGKILL');
        await gopher.idle();
      },
      WITHIN_MS,
    );

    function start(method: string, ...options: readonly string[]): ChildProcess {
      const settings = Object.entries({ ...serverEnvironment(folder, LOCAL_GOPHER) });
      const words = ['--cli', ...target, '--format', 'json', '--protocol-era', era, '--method', method, ...options];
      // An HTTP server has its settings already.
      if (transport === 'stdio')
        words.push('--cwd', folder, ...settings.flatMap(([name, value]) => ['-e', `${name}=${value}`]));
      return spawn(entryOf('node'), [entryOf('inspector'), ...words], {
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
