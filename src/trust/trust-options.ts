import type { PinPolicy } from './core/decide-pin.js';

/** The operator's settings for trust on first use. */
export interface TrustOptions extends PinPolicy {
  /** GEMINI_TOFU_ENABLED. Off: no server is authenticated, and no pin is read or written by connections. */
  readonly enabled: boolean;
}

/** Injection token of {@link TrustOptions}. */
export const TrustOptions = Symbol('TrustOptions');
