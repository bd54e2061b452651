import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** The answers that a server has not sent to their end. */
export interface OpenAnswers {
  /** Those to requests that bring something; a client that only listens is not waited for. */
  readonly count: number;
  /**
   * From now on every answer tells its client that the connection ends with it; those of running requests as well, unless they have
   * begun. A connection that is closed without a word can meet the next request of a client that meant to keep it, and that request
   * is lost; a client that was told sends it elsewhere.
   */
  announceEnd(): void;
}

/** Watches the answers of `server`. */
export function watchAnswers(server: Server): OpenAnswers {
  const open = new Set<ServerResponse>();
  let isEnding = false;
  // First in line: what answers at once would have sent its headers before.
  server.prependListener('request', ({ method }: IncomingMessage, response: ServerResponse) => {
    if (isEnding) announceEnd(response);
    if (method !== 'POST') return;
    open.add(response);
    response.once('close', () => open.delete(response));
  });
  return {
    get count() {
      return open.size;
    },
    announceEnd: () => {
      isEnding = true;
      for (const response of open) announceEnd(response);
    },
  };
}

function announceEnd(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}
