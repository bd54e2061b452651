/** Under which addresses a pipeline stores pages and bodies. */
import { bracketed } from '../common/net/host.js';
import { LOCAL_TENANT } from '../common/principal.js';
import type { ResourceAddress } from '../cache/index.js';
import type { FetchCall, FetchRequest } from './protocol.port.js';

/** One resource as one kind of caller sees it. @param variant what separates the answers of callers */
export function resourceAddress({ host, port }: FetchRequest, variant: string, key: string): ResourceAddress {
  return { host: hostAddress(host, port), resource: `${variant}\0${key}` };
}

/**
 * What separates the answers of callers: the protocol's variant where there is one, which names the tenant itself, else the tenant,
 * unless all tenants share what needs no identity. Without tenants nothing.
 */
export function separated(variant: string, tenant: string, isShared: boolean): string {
  return variant !== '' || isShared || tenant === LOCAL_TENANT ? variant : `${tenant}\0`;
}

/**
 * Under which key callers share one download. Never across tenants: which identity it presents is settled only when it goes out, and
 * may by then be one that another tenant's caller has nothing to do with. A host holds no space, and no tenant's name does.
 */
export function flightKey({ host, resource }: ResourceAddress, tenant: string): string {
  return tenant === LOCAL_TENANT ? `${host} ${resource}` : `${tenant} ${host} ${resource}`;
}

/** All that is stored of one host and port. */
export function hostAddress(host: string, port: number): string {
  return `${bracketed(host)}:${port}`;
}

/** Tells the windows of a resource apart. */
export function windowName({ offset, format }: FetchCall): string {
  return `${offset} ${format}`;
}
