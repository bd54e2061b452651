import type { Tool } from './tool.js';
import { geminiBatchFetch, geminiFetch } from './tools/gemini.tools.js';
import { gopherBatchFetch, gopherFetch } from './tools/gopher.tools.js';
import { identityList, identityUpdate } from './tools/identity.tools.js';
import { trustList, trustUpdate } from './tools/trust.tools.js';

/** Every tool, in the order in which clients see them. */
export const TOOL_TABLE: readonly Tool[] = [
  gopherFetch,
  geminiFetch,
  gopherBatchFetch,
  geminiBatchFetch,
  trustList,
  trustUpdate,
  identityList,
  identityUpdate,
];
