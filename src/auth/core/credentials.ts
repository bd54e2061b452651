/**
 * What a request presents to show who sends it. A credential stands in one header and nowhere else: one that was sent twice, or in
 * two places, could be read one way by a proxy and another way here, and one in a query ends up in logs and histories.
 *
 *     Authorization: Bearer <API key or JSON Web Token>
 *     X-API-Key: <API key>
 *
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-2
 */
import { ok, err, type Result } from '../../common/result.js';
import { API_KEY_START } from './api-key.js';
import { authRefusal, type AuthRefusal } from './auth-refusal.js';

/** A credential, not judged yet. */
export interface Credential {
  readonly kind: 'api-key' | 'token';
  readonly text: string;
}

/** Longest credential that is looked at. */
export const MAX_CREDENTIAL_UNITS = 8192;

/** Parameters that other servers take credentials from. */
const QUERY_NAMES: ReadonlySet<string> = new Set([
  'access_token',
  'api_key',
  'api-key',
  'apikey',
  'authorization',
  'bearer',
  'id_token',
  'token',
  'x-api-key',
]);

/**
 * The credential of a request: `missing` when there is none, `malformed` when it is not clear which one counts.
 *
 * @param rawHeaders names and values in turn, as they came: Node drops a second Authorization without a word
 * @param url path and query
 */
export function presentedCredential(rawHeaders: readonly string[], url: string): Result<Credential, AuthRefusal> {
  if (hasCredentialInQuery(url))
    return malformed('A credential in a URL is not taken: send it in the header Authorization.');
  let authorization: string | undefined;
  let apiKey: string | undefined;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]?.toLowerCase();
    if (name !== 'authorization' && name !== 'x-api-key') continue;
    if (authorization !== undefined || apiKey !== undefined) return malformed('More than one credential was sent.');
    if (name === 'authorization') authorization = rawHeaders[i + 1];
    else apiKey = rawHeaders[i + 1];
  }
  if (apiKey !== undefined) return credential('api-key', apiKey.trim());
  if (authorization === undefined) return err(authRefusal('missing', 'Say who you are: no credential was sent.'));
  const [, scheme = '', text = ''] = /^(\S*) *(.*)$/.exec(authorization) ?? [];
  if (scheme.toLowerCase() !== 'bearer')
    return err(authRefusal('missing', 'Only the scheme Bearer is taken in Authorization.'));
  return credential(text.startsWith(API_KEY_START) ? 'api-key' : 'token', text);
}

function credential(kind: Credential['kind'], text: string): Result<Credential, AuthRefusal> {
  // RFC 6750, 2.1: b64token.
  if (text.length > MAX_CREDENTIAL_UNITS || !/^[\w.~+/-]+=*$/.test(text)) {
    return err(authRefusal('invalid', 'The credential has no form that is known here.'));
  }
  return ok({ kind, text });
}

function hasCredentialInQuery(url: string): boolean {
  const start = url.indexOf('?');
  if (start === -1) return false;
  for (const name of new URLSearchParams(url.slice(start + 1)).keys()) {
    if (QUERY_NAMES.has(name.toLowerCase())) return true;
  }
  return false;
}

function malformed(message: string): Result<Credential, AuthRefusal> {
  return err(authRefusal('malformed', message));
}
