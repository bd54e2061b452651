/** Jest wants a file for each: see traffic-check.mjs. */
export { globalTeardown as default } from './traffic-check.mjs';
