/** What stands around a client: the built server, over either transport, and a Gopher server for it to read. */
import { HttpServerProcess } from '../../support/http-server-process.js';
import {
  makeScratchFolder,
  removeScratchFolder,
  serverCommand,
  serverEnvironment,
} from '../../support/server-under-test.js';
import { LOCAL_GOPHER, SmallGopher } from '../../support/small-gopher.js';
import type { ServerReach } from './official-client.js';

/** Processes take seconds to start on a busy machine. */
export const WITHIN_MS = 60_000;

export const POLICY = 'gopher-mcp://policy';

/** Both transports. */
export const TRANSPORTS = ['stdio', 'http'] as const;

/** See the file's header. */
export interface Surroundings {
  readonly gopher: SmallGopher;
  readonly server: ServerReach;
  /** An empty folder, the home of the server. */
  readonly folder: string;
  close(): Promise<void>;
}

/** Starts the Gopher server, and ours where clients do not start it themselves. */
export async function surround(transport: (typeof TRANSPORTS)[number]): Promise<Surroundings> {
  const folder = await makeScratchFolder();
  const gopher = await SmallGopher.start(answer);
  const env = serverEnvironment(folder, LOCAL_GOPHER);
  const { program, args } = serverCommand();
  const http = transport === 'http' ? await HttpServerProcess.start({ program, args }, folder, env) : undefined;
  return {
    gopher,
    server: http ? { url: `${http.origin}/mcp` } : { command: program, args, env, cwd: folder },
    folder,
    close: async () => {
      await http?.close();
      await gopher.close();
      await removeScratchFolder(folder);
    },
  };
}

/** A menu, a text, and an item that is never answered. */
function answer(selector: string): string | null {
  switch (selector) {
    case '':
      return `iWelcome\t\terror.host\t1\r\n0A text\ttext\t127.0.0.1\t70\r\n.\r\n`;
    case 'text':
      return 'Plain words.\r\n.\r\n';
    case 'silence':
      return null;
    default:
      return `3No such item\t\terror.host\t1\r\n.\r\n`;
  }
}
