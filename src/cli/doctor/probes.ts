/** What the doctor touches of this machine and its network; replaced in tests. */
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { asError } from '../../common/thrown.js';
import { systemCode } from '../system-code.js';

/** The answers of a machine. A text is the code of a system error, such as ENOENT, or `TIMEOUT`. */
export interface Probes {
  /** Number of addresses of a name. */
  resolve(name: string): Promise<number | string>;
  /** Whether something answers; null when it does. */
  connect(host: string, port: number): Promise<string | null>;
  /** Whether the address can be listened on; null when it can. */
  listen(host: string, port: number): Promise<string | null>;
  /** Mode bits of a file or folder, and its age. */
  look(path: string): Promise<{ readonly mode: number; readonly changedMs: number } | string>;
  /** Names in a folder. */
  list(path: string): Promise<readonly string[] | string>;
}

/** Longest wait for a name or a connection, in milliseconds. */
const WITHIN_MS = 5000;

/** The probes of this machine. */
export const machineProbes: Probes = {
  async resolve(name) {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve('TIMEOUT'), WITHIN_MS);
    });
    const found = lookup(name, { all: true }).then(({ length }) => length, codeOf);
    try {
      return await Promise.race([found, late]);
    } finally {
      clearTimeout(timer);
    }
  },
  async connect(host, port) {
    const socket = connect({ host, port });
    try {
      await once(socket, 'connect', { signal: AbortSignal.timeout(WITHIN_MS) });
      return null;
    } catch (thrown) {
      return codeOf(thrown);
    } finally {
      socket.on('error', () => undefined).destroy();
    }
  },
  async listen(host, port) {
    const server = createServer();
    try {
      server.listen({ host, port, exclusive: true });
      await once(server, 'listening');
      return null;
    } catch (thrown) {
      return codeOf(thrown);
    } finally {
      server.close();
    }
  },
  async look(path) {
    try {
      const { mode, mtimeMs } = await stat(path);
      return { mode: mode & 0o777, changedMs: mtimeMs };
    } catch (thrown) {
      return codeOf(thrown);
    }
  },
  list: (path) => readdir(path).catch(codeOf),
};

function codeOf(thrown: unknown): string {
  const { name } = asError(thrown);
  return name === 'AbortError' || name === 'TimeoutError' ? 'TIMEOUT' : systemCode(thrown);
}
