/** A Gopher server that answers from a table, or not at all, and tells when its connections were closed. */
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';

/** Gives what is sent for a selector (with its search, behind a tab); null leaves the client waiting. */
export type Answers = (selector: string) => string | null;

/** See the file's header. */
export class SmallGopher {
  /** Selectors asked for, in order. */
  readonly asked: string[] = [];
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #changed: () => void = () => undefined;

  private constructor(answers: Answers) {
    this.#server = createServer((socket) => {
      this.#open.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        this.#open.delete(socket);
        this.#changed();
      });
      socket.once('data', (line) => {
        const selector = String(line).replace(/\r?\n$/, '');
        this.asked.push(selector);
        this.#changed();
        const answer = answers(selector);
        if (answer !== null) socket.end(answer);
      });
    });
  }

  /** Listens on a free loopback port. */
  static async start(answers: Answers): Promise<SmallGopher> {
    const gopher = new SmallGopher(answers);
    gopher.#server.listen(0, '127.0.0.1');
    await once(gopher.#server, 'listening');
    return gopher;
  }

  /** URL of an item of this server. */
  url(typeAndSelector: string): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the server does not listen');
    return `gopher://127.0.0.1:${address.port}/${typeAndSelector}`;
  }

  /** Resolves when `count` connections are open that have asked. */
  async waiting(count: number): Promise<void> {
    await this.#until(() => this.#open.size >= count && this.asked.length >= count);
  }

  /** Resolves when there were more than `count` requests in all. */
  async askedMoreThan(count: number): Promise<void> {
    await this.#until(() => this.asked.length > count);
  }

  /** Resolves when no connection is open. */
  async idle(): Promise<void> {
    await this.#until(() => this.#open.size === 0);
  }

  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
  }
}

/** Variables with which our server reads this one at once. */
export const LOCAL_GOPHER = {
  GOPHER_ALLOW_LOCAL_HOSTS: 'true',
  GOPHER_REQUESTS_PER_MINUTE: '0',
  GOPHER_RESPECT_ROBOTS_TXT: 'false',
};
