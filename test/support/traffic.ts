/**
 * What the clients of the tests sent to a server that is secret, and what came out of that server: results, and lines of its log. With
 * TEST_TRAFFIC_FOLDER set, as jest.config.js does, all of it is written down there, and traffic-check.mjs looks at the end of a run
 * whether any secret came out again, whatever the tests were about.
 *
 * Secret are queries and input answers of Gemini, search terms of Gopher, and user names and passwords in URLs, if they are long enough
 * to be told from other text. Left out of results is what a server wrote, which may say anything.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { isArray, isObject, type Json, type JsonObject } from './json.js';

/** What is written down of one server. */
export type TrafficRecord =
  | { readonly secret: string; readonly protocol: 'gopher' | 'gemini'; readonly kind: 'query' | 'password' }
  | { readonly result: Json }
  | { readonly log: string };

/** Shorter ones are found by chance. */
const LEAST_CHARS = 6;
/** Longer results are there for their length. */
const MOST_RESULT_CHARS = 200_000;
/** Members that hold what a server wrote: its text, and links, which may carry queries of its own. */
const WRITTEN_BY_SERVERS = new Set([
  'text',
  'content',
  'contents',
  'document',
  'items',
  'prompt',
  'meta',
  'message',
  'new_url',
]);
/** Results that are the same for everybody. */
const LISTINGS = ['tools', 'instructions', 'prompts', 'resourceTemplates'];
/** `message` is ours in an error, and a capsule's in a request for a certificate. */
const OURS_IN_ERRORS = 'message';

/** A user name that is an address: a trick to make one host look like another, and no secret. */
const NAMES_A_HOST = /\d+\.\d+\.\d+\.\d+/;

let servers = 0;

/** The traffic of one server, from its start to its end. */
export class Traffic {
  readonly #file: string | undefined;

  constructor() {
    const folder = process.env['TEST_TRAFFIC_FOLDER'];
    this.#file = folder === undefined ? undefined : join(folder, `${process.pid}-${++servers}.jsonl`);
  }

  /** Arguments of a tool. */
  sent(args: Json | undefined): void {
    if (this.#file === undefined || !isObject(args)) return;
    const { url, uri, urls, search, input } = args;
    this.#secret(search, 'gopher', 'query');
    this.#secret(input, 'gemini', 'query');
    for (const one of [url, uri, ...(isArray(urls) ? urls : [])]) if (typeof one === 'string') this.#sentUrl(one);
  }

  /** Result of a tool, or of any other request. */
  received(result: Json | undefined): void {
    if (this.#file === undefined || !isObject(result) || LISTINGS.some((member) => member in result)) return;
    const ours = withoutServersWords(result, false);
    if (JSON.stringify(ours).length < MOST_RESULT_CHARS) this.#write({ result: ours });
  }

  /** Whatever stands on stderr. */
  logged(text: string): void {
    this.#write({ log: text });
  }

  #sentUrl(url: string): void {
    const protocol = /^\s*gemini:/i.test(url) ? 'gemini' : 'gopher';
    const [, authority = '', rest = ''] = /^[^:]*:\/\/([^/?#]*)(.*)$/su.exec(url) ?? [];
    const at = authority.lastIndexOf('@');
    for (const part of at === -1 ? [] : authority.slice(0, at).split(':'))
      if (!NAMES_A_HOST.test(part)) this.#secret(part, protocol, 'password');
    const query = rest.search(protocol === 'gemini' ? /\?/ : /\?|%09/);
    if (query !== -1)
      this.#secret(
        rest
          .slice(query)
          .replace(/^(\?|%09)/, '')
          .replace(/#.*/s, ''),
        protocol,
        'query',
      );
  }

  #secret(secret: Json | undefined, protocol: 'gopher' | 'gemini', kind: 'query' | 'password'): void {
    if (typeof secret === 'string' && secret.trim().length >= LEAST_CHARS) this.#write({ secret, protocol, kind });
  }

  #write(record: TrafficRecord): void {
    if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify(record)}\n`);
  }
}

/** A result without what servers wrote. A text block holds the same once more, as text. */
function withoutServersWords(value: Json, isError: boolean): Json {
  if (isArray(value)) return value.map((entry) => withoutServersWords(entry, isError));
  if (!isObject(value)) return value;
  const kept: Record<string, Json> = {};
  for (const [name, below] of Object.entries(value)) {
    if (isError && name === OURS_IN_ERRORS) kept[name] = below;
    else if (!WRITTEN_BY_SERVERS.has(name)) kept[name] = withoutServersWords(below, name === 'error');
  }
  return kept satisfies JsonObject;
}
