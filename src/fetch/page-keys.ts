/** Under which keys and tags a pipeline stores pages and bodies. */
import type { FetchCall } from './protocol.port.js';

/** One resource as one kind of caller sees it. @param variant what separates the answers of callers */
export function resourceKey(variant: string, key: string): string {
  return `${variant}\0${key}`;
}

/** All that is stored of one host and port. */
export function hostTag(host: string, port: number): string {
  return `${host}\0${port}`;
}

/** One window of a resource. */
export function windowKey(resource: string, { offset, format }: FetchCall): string {
  return `${resource}\0offset=${offset}\0${format}`;
}
