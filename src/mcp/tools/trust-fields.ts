/** Parts of the definitions of the trust and identity tools that their behaviour shares. */
import type { ToolAnnotations } from '../tool.js';

/** Reads local state only. */
export const INSPECTS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };

/** What can be done to a pin. */
export const PIN_ACTIONS = ['remove', 'pin'] as const;

/** What can be done to an identity. */
export const IDENTITY_ACTIONS = ['create', 'remove'] as const;

/** Kinds of keys of a new identity. */
export const KEY_TYPES = ['rsa', 'ec'] as const;
