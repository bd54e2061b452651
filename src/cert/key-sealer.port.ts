import type { Result } from '../common/result.js';
import type { SealTrouble } from './core/seal-trouble.js';

/**
 * The form in which private keys are stored: sealed under the key of the state, or as PEM where there is none. A sealed key opens for
 * the identity that it was sealed for alone, so that none can be put in the place of another.
 */
export interface KeySealer {
  /** Whether {@link seal} encrypts. */
  readonly encrypts: boolean;

  /** @param stem the file stem of the identity that the key belongs to */
  seal(stem: string, privateKeyPem: string): string;

  /** The private key in what is stored, whether it is sealed with the present key, sealed with the one before, or plain. */
  open(stem: string, stored: string): Result<string, SealTrouble>;

  /** Whether what is stored has the form that {@link seal} gives now. */
  isCurrent(stored: string): boolean;
}

/** Injection token of {@link KeySealer}. */
export const KeySealer = Symbol('KeySealer');
