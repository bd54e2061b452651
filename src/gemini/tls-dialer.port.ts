import type { Deadline } from '../common/deadline.js';
import type { Failure } from '../common/error-codes.js';
import type { Result } from '../common/result.js';
import type { GeminiResponse, ResponseReader } from './core/response-reader.js';

/** What a server's certificate says about it. */
export interface ServerCertificate {
  /** SHA-256 of its DER form, 64 lowercase hexadecimal digits. */
  readonly fingerprint: string;
  /** SHA-256 of its SubjectPublicKeyInfo in DER form, likewise; null when the key is of a kind that cannot be read. */
  readonly spki: string | null;
  /** Epoch milliseconds; 0 when the date cannot be read. */
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

/** One request to one server. */
export interface TlsDial {
  /** Normalised; sent as SNI unless it is an address literal, and named in messages. Never looked up. */
  readonly host: string;
  readonly port: number;
  /** Vetted addresses, at least one. IPv4 is tried first, otherwise their order is kept. */
  readonly addresses: readonly { readonly address: string; readonly family: 4 | 6 }[];
  /** The client certificate to present when the server asks for one, and its key. */
  readonly identity: { readonly certificatePem: string; readonly privateKeyPem: string } | null;
  /** The request line, CRLF included. */
  readonly request: string;
  /** Fresh; takes the answer. */
  readonly reader: ResponseReader;
  /**
   * Judges the server by its certificate (null: it showed none), once, before anything is sent. A failure withholds the
   * request and is what the dial gives.
   */
  admit(certificate: ServerCertificate | null): Promise<Failure | null>;
  readonly deadline: Deadline;
}

/** Facts of a connection. */
export interface TlsConnection {
  /** `TLSv1.2` or `TLSv1.3`. */
  readonly version: string;
  /** OpenSSL's name of the suite. */
  readonly cipher: string;
  /** SHA-256 of the server's certificate, hexadecimal; null when it showed none. */
  readonly fingerprint: string | null;
}

/** An answer, and over what it came. */
export interface TlsAnswer {
  readonly connection: TlsConnection;
  readonly response: GeminiResponse;
}

/** Asks a Gemini server over a TLS connection of its own. */
export interface TlsDialer {
  /**
   * Resolves always, at the latest when the deadline's signal aborts. What arrived of a body by then is given, marked as
   * incomplete.
   *
   * FETCH_ERROR (timeout, cancelled, refused, unreachable, reset), TLS_ERROR (not_tls, tls_version, or without a reason),
   * PROTOCOL_ERROR, and what `admit` gives.
   */
  dial(dial: TlsDial): Promise<Result<TlsAnswer, Failure>>;
}

/** Injection token of {@link TlsDialer}. */
export const TlsDialer = Symbol('TlsDialer');
