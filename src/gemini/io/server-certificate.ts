/** The certificate that a server showed, as facts. */
import { createHash, type X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import type { ServerCertificate } from '../tls-dialer.port.js';

/**
 * Reads the leaf certificate of a connection; null when there is none that can be read. To be called once a connection:
 * Node hands the certificate out one time only.
 */
export function takeServerCertificate(socket: TLSSocket): ServerCertificate | null {
  try {
    const certificate = socket.getPeerX509Certificate();
    return certificate === undefined ? null : new LeafCertificate(certificate);
  } catch {
    return null;
  }
}

class LeafCertificate implements ServerCertificate {
  readonly fingerprint: string;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  #spki: string | null | undefined;

  constructor(private readonly certificate: X509Certificate) {
    this.fingerprint = sha256(certificate.raw);
    this.notBeforeMs = epochMs(certificate.validFrom);
    this.notAfterMs = epochMs(certificate.validTo);
  }

  /** Worked out when somebody asks: a known certificate is known by its fingerprint, and the key takes longer than both. */
  get spki(): string | null {
    return (this.#spki ??= publicKeyDigest(this.certificate));
  }
}

function publicKeyDigest(certificate: X509Certificate): string | null {
  try {
    return sha256(certificate.publicKey.export({ type: 'spki', format: 'der' }));
  } catch {
    // A key algorithm that OpenSSL does not know.
    return null;
  }
}

/** An unreadable date counts as long past: an expiry that cannot be read must not read as a far one. */
function epochMs(date: string): number {
  const parsed = Date.parse(date);
  return Number.isNaN(parsed) ? 0 : parsed;
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
