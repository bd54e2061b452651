/** An address that was checked and may be connected to; no second resolution happens. */
export interface VettedAddress {
  /** IPv4 dotted or IPv6 text, no brackets. */
  readonly address: string;
  readonly family: 4 | 6;
}
