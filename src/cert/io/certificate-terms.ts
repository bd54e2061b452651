/** What a new certificate says. */
export interface CertificateTerms {
  /** Subject and issuer. */
  readonly name: { readonly commonName: string; readonly organization: string };
  /** Hex, positive as DER reads it. */
  readonly serialNumber: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
}
