/** The echo of a request in its result: which request this answers, and over which connection. Closed list of keys. */
export interface RequestInfo {
  readonly url?: string;
  /** ISO-8601 UTC, whole seconds, `+00:00`. */
  readonly timestamp?: string;
  readonly host?: string | null;
  readonly port?: number;
  /** Gopher item type, one character. */
  readonly type?: string;
  readonly selector?: string;
  /** Present only when a search was given that the item type does not take. */
  readonly search_ignored?: true;
  readonly path?: string;
  readonly has_query?: boolean;
  readonly tls_version?: string;
  readonly cipher?: string;
  /** `sha256:` and the hex digest of the leaf certificate. */
  readonly cert_fingerprint?: string;
  readonly tofu_warning?: string | null;
  readonly client_cert_warning?: string;
}

/** An instant as results show it: ISO-8601 UTC, whole seconds, `+00:00`. */
export function isoInstant(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}+00:00`;
}
