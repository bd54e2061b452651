/**
 * Who sends a request to an MCP endpoint. Asked before a body is read, remembered for as long as the request lives. Where nobody
 * has to say who they are, everybody is the user of this machine, and nothing is looked up.
 */
import type { IncomingMessage } from 'node:http';
import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import {
  presentedCredential,
  scopeChallenge,
  type Authenticator,
  type AuthRefusal,
  type Challenges,
} from '../../../auth/index.js';
import { LOCAL_PRINCIPAL, NOBODY, type Principal } from '../../../common/principal.js';
import type { HttpRefusal } from './request-checks.js';

/** See the file's header. */
export class Authentication {
  readonly #principals = new WeakMap<IncomingMessage, Principal>();

  /** @param authenticator null where nobody is asked who they are */
  constructor(
    private readonly authenticator: Authenticator | null,
    private readonly challenges: Challenges,
  ) {}

  /** Whether callers have to say who they are. */
  get isOn(): boolean {
    return this.authenticator !== null;
  }

  /** Finds out who sends `request`; what to answer when that is nobody who may call. Never rejects. */
  async check(request: IncomingMessage): Promise<HttpRefusal | undefined> {
    if (this.authenticator === null) return undefined;
    const credential = presentedCredential(request.rawHeaders, request.url ?? '');
    if (!credential.ok) return this.refusal(credential.error);
    const principal = await this.authenticator.authenticate(credential.value);
    if (!principal.ok) return this.refusal(principal.error);
    if (principal.value.scopes.size === 0) return this.refusal(scopeChallenge('smallweb:read'));
    this.#principals.set(request, principal.value);
    return undefined;
  }

  /** Who sends a request that was let in; one that was not checked, by whatever mistake, is nobody's. */
  principalOf(request: IncomingMessage): Principal {
    if (this.authenticator === null) return LOCAL_PRINCIPAL;
    return this.#principals.get(request) ?? NOBODY;
  }

  /** The answer to a request that is refused, e.g. by `scopeChallenge(...)`. */
  refusal(refusal: AuthRefusal): HttpRefusal {
    const { status, errorCode, message, nextStep, headers } = this.challenges.of(refusal);
    const data = { code: errorCode, message, next_step: nextStep };
    return { status, code: ProtocolErrorCode.InvalidRequest, message, data, headers };
  }
}
