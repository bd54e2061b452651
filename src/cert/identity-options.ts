/** The operator's settings for client identities. */
export interface IdentityOptions {
  /** GEMINI_CLIENT_CERTS_ENABLED. Off: none is stored or presented. */
  readonly enabled: boolean;
}

/** Injection token of {@link IdentityOptions}. */
export const IdentityOptions = Symbol('IdentityOptions');
