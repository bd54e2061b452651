/**
 * A refusal as HTTP puts it: status, `WWW-Authenticate`, and the code for the JSON-RPC error in the body.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-3
 * @see https://www.rfc-editor.org/rfc/rfc9728#section-5.1
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization
 */
import type { ErrorCode } from '../../common/error-codes.js';
import type { AuthRefusal, RefusalKind } from './auth-refusal.js';

/** A refused request. */
export interface HttpChallenge {
  readonly status: 400 | 401 | 403 | 503;
  readonly errorCode: ErrorCode;
  readonly message: string;
  readonly nextStep: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a client may ask for when it knows nothing better. */
const LEAST_SCOPE = 'smallweb:read';

/** Seconds after which an authentication that could not be judged is worth another try. */
const RETRY_AFTER_SECONDS = 5;

/** Puts refusals into HTTP. */
export class Challenges {
  /** @param metadataUrl where clients learn which authorisation server to ask; null when tokens are not taken */
  constructor(private readonly metadataUrl: string | null) {}

  /** See the file's header. */
  of({ kind, message, scopes }: AuthRefusal): HttpChallenge {
    const { status, errorCode, error, nextStep } = KINDS[kind];
    if (kind === 'unavailable') {
      return { status, errorCode, message, nextStep, headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } };
    }
    // No credential helps, so none is asked for.
    if (kind === 'forbidden') return { status, errorCode, message, nextStep, headers: {} };
    const parameters = [
      'realm="gopher-mcp"',
      ...(error === null ? [] : [`error="${error}"`, `error_description="${message}"`]),
      `scope="${scopes?.join(' ') ?? LEAST_SCOPE}"`,
      ...(this.metadataUrl === null ? [] : [`resource_metadata="${this.metadataUrl}"`]),
    ];
    return { status, errorCode, message, nextStep, headers: { 'www-authenticate': `Bearer ${parameters.join(', ')}` } };
  }
}

const SEND_A_CREDENTIAL = 'Send an API key or an access token for this server in the header Authorization: Bearer.';

const KINDS: Readonly<
  Record<RefusalKind, Pick<HttpChallenge, 'status' | 'errorCode' | 'nextStep'> & { readonly error: string | null }>
> = {
  // RFC 6750, 3.1: no error code for a request that says nothing of authentication.
  missing: { status: 401, errorCode: 'UNAUTHORIZED', error: null, nextStep: SEND_A_CREDENTIAL },
  malformed: { status: 400, errorCode: 'UNAUTHORIZED', error: 'invalid_request', nextStep: SEND_A_CREDENTIAL },
  invalid: {
    status: 401,
    errorCode: 'UNAUTHORIZED',
    error: 'invalid_token',
    nextStep: 'Get a new credential for this server and try again.',
  },
  insufficient_scope: {
    status: 403,
    errorCode: 'FORBIDDEN',
    error: 'insufficient_scope',
    nextStep: 'Get a credential with the scope named, or ask the operator for it.',
  },
  forbidden: {
    status: 403,
    errorCode: 'FORBIDDEN',
    error: null,
    nextStep: 'Do not retry: ask the operator of this server.',
  },
  unavailable: {
    status: 503,
    errorCode: 'AUTHENTICATION_UNAVAILABLE',
    error: null,
    nextStep: 'Try again in a few seconds; if that does not help, tell the operator.',
  },
};
