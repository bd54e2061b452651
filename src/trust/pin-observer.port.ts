/** Whoever keeps answers of a host wants to know when they can no longer be trusted. */
export interface PinObserver {
  /** The pin of an endpoint was made, replaced or removed, or a certificate that does not match it was presented. */
  pinChanged(host: string, port: number): void;
}

/** Injection token of {@link PinObserver}. */
export const PinObserver = Symbol('PinObserver');
