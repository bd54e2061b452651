import { asError } from '../common/thrown.js';

/** The code of a system error, such as ENOENT; the name of an error without one. */
export function systemCode(thrown: unknown): string {
  if (typeof thrown === 'object' && thrown !== null && 'code' in thrown && typeof thrown.code === 'string') {
    return thrown.code;
  }
  return asError(thrown).name;
}
