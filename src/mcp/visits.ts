/**
 * The pages that one caller has fetched, for completing URLs. It holds nothing that a caller typed into a page: queries and
 * search terms are cut off. It lives and ends with the caller's connection or session and is never shared.
 */

/** Most pages that are remembered of one caller. */
export const MAX_VISITS = 200;

/** Most characters of all remembered URLs together; a thousand sessions then take 16 MB at most. */
export const MAX_VISIT_CHARS = 16_384;

/** URLs without repetition; the oldest visit makes room for the newest. */
export class Visits {
  /** In order of the last visit, the oldest first. */
  readonly #urls = new Set<string>();
  #chars = 0;

  /** Remembers a visit. A URL that is longer than everything together may be is not remembered. */
  add(url: string): void {
    const page = withoutQuery(url);
    if (page.length > MAX_VISIT_CHARS) return;
    this.#forget(page);
    this.#urls.add(page);
    this.#chars += page.length;
    for (const oldest of this.#urls) {
      if (this.#urls.size <= MAX_VISITS && this.#chars <= MAX_VISIT_CHARS) break;
      this.#forget(oldest);
    }
  }

  /** The remembered URLs, the newest first. */
  newestFirst(): string[] {
    return [...this.#urls].reverse();
  }

  #forget(page: string): void {
    if (this.#urls.delete(page)) this.#chars -= page.length;
  }
}

/** A Gemini query or a Gopher search begins here (`%09` is the tab of RFC 4266), or a fragment, which no server sees. */
const QUERY_START = /[?#]|%09/;

/** The URL up to where a query or search begins. */
export function withoutQuery(url: string): string {
  const at = url.search(QUERY_START);
  return at === -1 ? url : url.slice(0, at);
}
