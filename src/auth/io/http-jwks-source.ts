/** Fetches a key set over HTTP: bounded in time and size, no redirects, no credentials. */
import { err, ok, type Result } from '../../common/result.js';
import { asError } from '../../common/thrown.js';
import type { JwksSource } from '../jwks-source.port.js';

/** Time for the whole exchange, in milliseconds. */
const WITHIN_MS = 5000;

/** Largest answer that is read, in bytes. */
const MAX_BYTES = 262_144;

/** See the file's header. */
export class HttpJwksSource implements JwksSource {
  readonly #url: string;
  readonly #withinMs: number;

  /** @param options.withinMs time for the whole exchange, {@link WITHIN_MS} by default */
  constructor(options: { readonly url: string; readonly withinMs?: number }) {
    this.#url = options.url;
    this.#withinMs = options.withinMs ?? WITHIN_MS;
  }

  async fetch(): Promise<Result<string, string>> {
    try {
      const response = await fetch(this.#url, {
        headers: { accept: 'application/json, application/jwk-set+json' },
        redirect: 'error',
        credentials: 'omit',
        signal: AbortSignal.timeout(this.#withinMs),
      });
      if (response.status !== 200 || response.body === null) {
        await response.body?.cancel();
        return err(`it answered ${response.status}`);
      }
      const chunks: Uint8Array[] = [];
      let bytes = 0;
      const body: AsyncIterable<unknown> = response.body;
      for await (const chunk of body) {
        if (!(chunk instanceof Uint8Array)) continue;
        bytes += chunk.length;
        // Leaving the loop cancels the rest.
        if (bytes > MAX_BYTES) return err(`its answer is larger than ${MAX_BYTES} bytes`);
        chunks.push(chunk);
      }
      return ok(Buffer.concat(chunks).toString('utf8'));
    } catch (thrown) {
      const error = asError(thrown);
      return err(error.name === 'TimeoutError' ? `no answer within ${this.#withinMs} ms` : reasonOf(error));
    }
  }
}

/** What fetch hides behind `fetch failed`. */
function reasonOf({ message, cause }: Error): string {
  if (!(cause instanceof Error)) return message;
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}
