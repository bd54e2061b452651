/**
 * The URL behind a menu item, empty when there is nothing to follow.
 *
 * A server fills the host, port and selector fields with anything, so a link is made only from what can be real: a host
 * that normalises, a port from 1 to 65535. A host field that is pasted unchecked could make a link that points elsewhere
 * than it seems to.
 */
import { bracketed, normalizeHost } from '../../common/net/host.js';
import { encodeText } from '../../common/text/charset.js';
import { percentEncode } from '../../common/text/percent.js';
import { encodeSelector, encodeType, isSelectorPlain, isUnreserved } from './url-spelling.js';

/** What a link is made of. */
export interface LinkTarget {
  readonly type: string;
  /** The selector as it came, and as it is shown. */
  readonly rawSelector: string;
  readonly selector: string;
  readonly host: string;
  readonly port: number;
}

/** How the characters of a menu stand for bytes. */
export type FieldEncoding =
  /** One byte each (the menu was not decoded). */
  | 'bytes'
  /** As this charset says. */
  | { readonly charset: string };

/** Makes the links of one menu; remembers its hosts, which repeat from line to line. */
export class MenuLinks {
  readonly #hosts = new Map<string, string>();

  constructor(private readonly encoding: FieldEncoding) {}

  /**
   * First match wins:
   * 1. selector `URL:` or `/URL:` and more, on any type: that URL as it stands (the convention for links to the web);
   * 2. types `i` and `3`: nothing, they are lines of text;
   * 3. type `h`, selector `GET /path`: the older web pointer;
   * 4. types `8` and `T`: a telnet URL (RFC 4248); the selector is the login name and stays in its own field;
   * 5. a gopher URL, port always written, the selector with the byte values it has in the menu.
   */
  linkOf(target: LinkTarget): string {
    const { type, selector, port } = target;
    const named = namedUrl(selector);
    if (named !== '') return named;
    if (type === 'i' || type === '3') return '';
    const host = port > 0 ? this.#urlHost(target.host) : '';
    if (host === '') return '';
    if (type === 'h' && selector.startsWith('GET /')) {
      const path = percentEncode(Buffer.from(selector.slice('GET '.length)), isWebPathPlain);
      return port === 80 ? `http://${host}${path}` : `http://${host}:${port}${path}`;
    }
    if (type === '8' || type === 'T') return `telnet://${host}:${port}`;
    return `gopher://${host}:${port}/${encodeType(type)}${this.#urlSelector(target)}`;
  }

  #urlHost(host: string): string {
    let known = this.#hosts.get(host);
    if (known === undefined) {
      const normalized = normalizeHost(host);
      known = normalized === null ? '' : bracketed(normalized);
      this.#hosts.set(host, known);
    }
    return known;
  }

  #urlSelector({ rawSelector, selector }: LinkTarget): string {
    switch (contentOf(rawSelector)) {
      case 'plain':
        return rawSelector;
      // No request can carry a control character: ask for what is left without them.
      case 'control':
        return encodeSelector(Buffer.from(selector));
      case 'other':
        return encodeSelector(this.#bytesOf(rawSelector));
    }
  }

  #bytesOf(field: string): Buffer {
    if (this.encoding === 'bytes') return Buffer.from(field, 'latin1');
    const { charset } = this.encoding;
    // Requests are bytes of an ASCII superset: what came in UTF-16 is asked for in UTF-8.
    const encoded = charset.startsWith('utf-') ? null : encodeText(field, charset);
    return encoded ?? Buffer.from(field);
  }
}

function namedUrl(selector: string): string {
  const at = selector.startsWith('URL:') ? 4 : selector.startsWith('/URL:') ? 5 : selector.length;
  return selector.slice(at);
}

/** Whether a selector may stand in a URL as it is, cannot be requested at all, or needs escapes. */
function contentOf(selector: string): 'plain' | 'control' | 'other' {
  let content: 'plain' | 'other' = 'plain';
  for (let i = 0; i < selector.length; i++) {
    const unit = selector.charCodeAt(i);
    if (unit < 0x20 || unit === 0x7f) return 'control';
    if (!isSelectorPlain(unit)) content = 'other';
  }
  return content;
}

/** RFC 3986: what may stand in a path and a query, the escapes that are already there included. */
function isWebPathPlain(byte: number): boolean {
  return isUnreserved(byte) || WEB_PATH_MARKS.includes(String.fromCharCode(byte));
}

const WEB_PATH_MARKS = "/?%!$&'()*+,;=:@";
