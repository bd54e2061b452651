/** The official Python clients, each as a child process that takes commands (python_client.py). */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { entryOf } from '../../outside/programs.mjs';
import { isObject, objectsOf, textOf, type JsonObject } from '../../support/json.js';
import { REPOSITORY } from '../../support/server-under-test.js';
import { textsOf, toolAnswer, type Connect, type ServerReach } from './official-client.js';

const SCRIPT = join(REPOSITORY, 'test', 'e2e', 'clients', 'python_client.py');
const END_GRACE_MS = 10_000;

/**
 * A client of one version.
 *
 * @param mode legacy, auto or a revision
 */
export function connectPython(program: 'python-1' | 'python-2', mode: string): Connect {
  return async (server) => {
    const child = new PythonChild(entryOf(program), mode, server);
    const greeting = await child.do('greeting');
    const names = async (what: string, member: string, key: string): Promise<readonly string[]> =>
      objectsOf((await child.do('list', { what }))[member]).map((entry) => textOf(entry[key]));
    return {
      revision: textOf(greeting['revision']),
      instructions: textOf(greeting['instructions']),
      listTools: () => names('tools', 'tools', 'name'),
      call: async (name, args, { signal, onProgress } = {}) => {
        const call = child.start('call', { name, arguments: args, progress: onProgress !== undefined });
        signal?.addEventListener('abort', () => void child.do('cancel', { call: call.id }), { once: true });
        const result = await call.result;
        const progress = result['progress'];
        if (onProgress && Array.isArray(progress)) {
          for (const [finished, total] of progress) onProgress(Number(finished), Number(total));
        }
        return toolAnswer(result);
      },
      listResources: () => names('resources', 'resources', 'uri'),
      listTemplates: () => names('resource_templates', 'resourceTemplates', 'uriTemplate'),
      read: async (uri) =>
        objectsOf((await child.do('read', { uri }))['contents']).map((content) => ({
          mimeType: textOf(content['mimeType']),
          text: textOf(content['text']),
        })),
      listPrompts: () => names('prompts', 'prompts', 'name'),
      prompt: async (name, args) =>
        textsOf((await child.do('prompt', { name, arguments: { ...args } }))['messages']).join('\n'),
      asked: async () => Number((await child.do('asked'))['asked']),
      close: () => child.close(),
    };
  };
}

interface Waiting {
  readonly resolve: (result: JsonObject) => void;
  readonly reject: (error: Error) => void;
}

class PythonChild {
  readonly #process: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #waiting = new Map<number, Waiting>();
  #stderr = '';
  #lastId = 0;

  constructor(python: string, mode: string, server: ServerReach) {
    this.#process = spawn(python, [SCRIPT, mode, JSON.stringify(server)], { stdio: ['pipe', 'pipe', 'pipe'] });
    createInterface({ input: this.#process.stdout }).on('line', (line) => this.#onLine(line));
    this.#process.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-4000);
    });
    this.#process.once('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`the client ended: ${this.#stderr}`));
    });
  }

  do(what: string, members: JsonObject = {}): Promise<JsonObject> {
    return this.start(what, members).result;
  }

  /** Sends a command that may take its time; `id` names it in others. */
  start(what: string, members: JsonObject): { readonly id: number; readonly result: Promise<JsonObject> } {
    const id = ++this.#lastId;
    const result = new Promise<JsonObject>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#process.stdin.write(`${JSON.stringify({ ...members, id, do: what })}\n`);
    return { id, result };
  }

  async close(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, 'exit');
    this.#process.stdin.end();
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), END_GRACE_MS);
    await ended;
    clearTimeout(timer);
  }

  #onLine(line: string): void {
    const message: unknown = JSON.parse(line);
    if (!isObject(message)) return;
    const waiting = this.#waiting.get(Number(message['id']));
    this.#waiting.delete(Number(message['id']));
    const { result } = message;
    if (isObject(result)) waiting?.resolve(result);
    else waiting?.reject(new Error(textOf(message['error'])));
  }
}
