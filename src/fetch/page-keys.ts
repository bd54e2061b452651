/** Under which addresses a pipeline stores pages and bodies. */
import { bracketed } from '../common/net/host.js';
import type { ResourceAddress } from '../cache/index.js';
import type { FetchCall, FetchRequest } from './protocol.port.js';

/** One resource as one kind of caller sees it. @param variant what separates the answers of callers */
export function resourceAddress({ host, port }: FetchRequest, variant: string, key: string): ResourceAddress {
  return { host: hostAddress(host, port), resource: `${variant}\0${key}` };
}

/** All that is stored of one host and port. */
export function hostAddress(host: string, port: number): string {
  return `${bracketed(host)}:${port}`;
}

/** Tells the windows of a resource apart. */
export function windowName({ offset, format }: FetchCall): string {
  return `${offset} ${format}`;
}
