import type { Failure } from '../common/error-codes.js';

/** What asking a host for its robots.txt gave. */
export type RobotsProbe =
  /** A policy file, decoded. */
  | { readonly kind: 'policy'; readonly text: string }
  /** The host has none: allow, remembered for the policy lifetime. */
  | { readonly kind: 'absent' }
  /** It could not be read: what that means is the gate's setting (Gopher allows, Gemini refuses). */
  | {
      readonly kind: 'unavailable';
      /** Class of the failure in a few words of ours, e.g. "timed out". */
      readonly cause: string;
      /** Whether one immediate second try makes sense (a single time-out). */
      readonly retry?: boolean;
      /** Seconds after which the host wants to be asked again; replaces the failure back-off. */
      readonly retryAfterSeconds?: number;
    }
  /** A refusal of its own (BLOCKED, DNS_ERROR, trust, store): passes through unchanged. */
  | { readonly kind: 'surface'; readonly failure: Failure };
