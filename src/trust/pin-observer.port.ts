/** What happened to the pin of an endpoint. Fingerprints are whole. */
export type PinEvent =
  /** A connection made it, or put it in place of one that a renewal policy gave up. */
  | { readonly kind: 'pinned'; readonly fingerprint: string }
  /** A certificate came that is not the pinned one; the pin stays. */
  | { readonly kind: 'mismatch'; readonly pinned: string; readonly presented: string }
  /** A person made, replaced or removed it. */
  | { readonly kind: 'by_hand'; readonly action: 'pin' | 'remove' };

/** Whoever keeps answers of a host wants to know when they can no longer be trusted. */
export interface PinObserver {
  /** The pin of an endpoint was made, replaced or removed, or a certificate that does not match it was presented. */
  pinChanged(host: string, port: number, event: PinEvent): void;
}

/** Injection token of {@link PinObserver}. */
export const PinObserver = Symbol('PinObserver');
