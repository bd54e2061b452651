/** Settings of who may call over HTTP: variables `GOPHER_MCP_*`. */
import { IsOptional, IsString, Matches, ValidateBy } from 'class-validator';
import { isLoopbackHost } from '../common/net/loopback.js';
import { boolean, choices, integer, path } from './setting-kinds.js';
import { Setting, type SettingKind } from './setting.js';
import { parseList } from './value-syntax.js';

/** How callers show who they are. */
export const AUTH_WAYS = ['none', 'api-key', 'jwt'] as const;

/** A member of {@link AUTH_WAYS}. */
export type AuthWay = (typeof AUTH_WAYS)[number];

/**
 * Algorithms that a token may be signed with. All of them have a public key to check with: with a shared secret, whoever can check a
 * token can make one.
 */
export const TOKEN_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const;

/** Effective settings of authentication, and their injection token. They matter on HTTP only. */
export class AuthConfig {
  @Setting(
    choices(AUTH_WAYS),
    'How callers show who they are: by an API key (`gopher-mcp key create`), by a JSON Web Token of an authorisation server, or either. `none` = nobody is asked, and everybody who reaches the server may do everything.',
  )
  readonly auth: readonly AuthWay[] = ['none'];

  @Setting(
    boolean(),
    'Refuse to start over HTTP, on whatever address, while callers are not asked who they are. Set it wherever a server must never be open by mistake.',
  )
  readonly requireAuth: boolean = false;

  @Setting(
    url('of the MCP endpoint', { query: false }),
    'URL under which clients reach the MCP endpoint, e.g. `https://smallweb.example/mcp`: the resource that clients ask the authorisation server for. Unset = the first audience that is a URL.',
  )
  readonly publicUrl: string | null = null;

  @Setting(
    path(),
    'File of the API keys; only their hashes are in it. `gopher-mcp key` writes it, and a change counts within a second. Required for `api-key`.',
  )
  readonly apiKeysFile: string | null = null;

  @Setting(
    url('of the issuer', { query: false }),
    'Issuer of the tokens, spelled as in their claim `iss`: the authorisation server that clients are sent to. Required for `jwt`.',
  )
  readonly jwtIssuer: string | null = null;

  @Setting(
    names('audiences', 512),
    'What the claim `aud` of a token must name; one of them is enough. Unset = the public URL. One of the two is required for `jwt`.',
  )
  readonly jwtAudience: readonly string[] | null = null;

  @Setting(
    url('of the key set', { query: true }),
    'Where the issuer publishes its keys (JWKS). Required for `jwt`. Keys are kept while it does not answer, for a day.',
  )
  readonly jwtJwksUrl: string | null = null;

  @Setting(
    choices(TOKEN_ALGORITHMS),
    'Algorithms that tokens may be signed with. `none` and shared secrets (HS256 and alike) are not among them.',
  )
  readonly jwtAlgorithms: readonly string[] = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA', 'Ed25519'];

  @Setting(
    claim(),
    'Claim that names the tenant of a caller, such as `org_id`; a token without it is refused then. Unset = all callers with tokens are the tenant `default`.',
  )
  readonly jwtTenantClaim: string | null = null;

  @Setting(integer(0, 300), 'Seconds that the clocks of the issuer and of this server may differ.')
  readonly jwtClockToleranceSeconds: number = 30;
}

/** An absolute URL: https, or http on loopback, without user, password and fragment. It is kept exactly as it was given. */
function url(what: string, { query }: { readonly query: boolean }): SettingKind {
  const message = `must be the https URL ${what}, without user, ${query ? '' : 'query, '}fragment; http on loopback only`;
  const isUsable = (value: unknown): boolean => {
    if (typeof value !== 'string' || value.length > 2048 || !/^[\x21-\x7e]+$/.test(value) || !URL.canParse(value))
      return false;
    if (/["\\]/.test(value) || value.includes('#') || (!query && value.includes('?'))) return false;
    const { protocol, hostname, username, password } = new URL(value);
    if (username !== '' || password !== '') return false;
    return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname.replace(/^\[|\]$/g, '')));
  };
  return {
    summary: `https URL ${what}`,
    requirement: message,
    read: (text) => text.trim(),
    rules: [
      IsOptional(),
      ValidateBy({ name: 'url', validator: { validate: isUsable, defaultMessage: () => message } }),
    ],
    blankIsUnset: true,
  };
}

/** One or more texts without blanks, separated by commas. */
function names(what: string, maxUnits: number): SettingKind {
  const message = `must be a list of ${what}, each of 1 to ${maxUnits} characters without blanks`;
  const isName = (item: unknown): boolean =>
    typeof item === 'string' && item.length <= maxUnits && /^[\x21-\x7e]+$/.test(item);
  return {
    summary: `list of ${what}`,
    requirement: message,
    read: (text) => [...new Set(parseList(text))],
    rules: [
      IsOptional(),
      ValidateBy({
        name: 'names',
        validator: {
          validate: (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(isName),
          defaultMessage: () => message,
        },
      }),
    ],
    blankIsUnset: false,
  };
}

/** Name of a claim. */
function claim(): SettingKind {
  const message = 'must be the name of a claim: 1 to 128 printable characters without blanks';
  return {
    summary: 'name of a claim',
    requirement: message,
    read: (text) => text.trim(),
    rules: [IsOptional(), IsString({ message }), Matches(/^[\x21-\x7e]{1,128}$/, { message })],
    blankIsUnset: true,
  };
}
