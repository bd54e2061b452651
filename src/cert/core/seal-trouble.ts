/** Why a sealed private key does not open. */
export type SealTrouble =
  /** It is sealed with a key that is not at hand; its id names that key. */
  | { readonly kind: 'other_key'; readonly keyId: string }
  /** It was changed, or belongs to another identity. */
  | { readonly kind: 'damaged' };
