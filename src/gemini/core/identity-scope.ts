import type { Failure } from '../../common/error-codes.js';
import { ok, type Result } from '../../common/result.js';
import { echoRefused, parseGeminiUrl } from './url.js';

/** The URL by which a tool names where an identity belongs. */
export interface ScopeArgument {
  /** Host, port and path; query and fragment do not count. INVALID_REQUEST for what is no gemini URL. */
  readonly scope: Result<{ readonly host: string; readonly port: number; readonly path: string }, Failure>;
  /** What may be shown of the URL: never its query. */
  readonly echo: string;
}

/** Reads the scope URL of an identity. */
export function parseIdentityScope(url: string): ScopeArgument {
  const parsed = parseGeminiUrl(url);
  if (!parsed.ok) return { scope: parsed, echo: echoRefused(url) };
  const { host, port, path, displayUrl } = parsed.value;
  return { scope: ok({ host, port, path }), echo: displayUrl };
}
