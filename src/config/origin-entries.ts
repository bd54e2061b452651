import { err, ok, type Result } from '../common/result.js';
import { quote } from '../common/text/quote.js';

/**
 * An origin as a browser writes it: scheme, host and port, in lower case, without the port that the scheme implies. Also those of
 * applications with a scheme of their own (`app://notes`). The word `null`, which every sandboxed page sends, is none.
 */
export function parseOrigin(text: string): Result<string, string> {
  const parts = /^([a-z][a-z0-9+.-]*):\/\/([^/?#@\s\\]+)$/i.exec(text);
  if (parts === null) return err(`${quote(text)} is not an origin such as https://app.example`);
  const [, scheme = '', host = ''] = parts;
  if (host.includes('*')) return err(`${quote(text)} is a pattern; each origin is listed by itself`);
  if (!/^https?$/i.test(scheme)) return ok(text.toLowerCase());
  return URL.canParse(text) ? ok(new URL(text).origin) : err(`${quote(text)} has no valid host or port`);
}
