/** What a stored page belongs to. */

/** A resource of a host, as one kind of caller sees it. */
export interface ResourceAddress {
  /** Host and port. */
  readonly host: string;
  readonly resource: string;
}

/** One window of a resource. */
export interface PageAddress extends ResourceAddress {
  readonly window: string;
}

/** The address as one key, from which {@link decodeAddress} makes it again. */
export function encodeAddress({ host, resource, window }: PageAddress): string {
  return `${host.length} ${resource.length} ${host}${resource}${window}`;
}

/** Of a key that {@link encodeAddress} made. */
export function decodeAddress(key: string): PageAddress {
  const [hostLength = '', resourceLength = ''] = key.split(' ', 2);
  const hostAt = hostLength.length + resourceLength.length + 2;
  const resourceAt = hostAt + Number(hostLength);
  const windowAt = resourceAt + Number(resourceLength);
  return {
    host: key.slice(hostAt, resourceAt),
    resource: key.slice(resourceAt, windowAt),
    window: key.slice(windowAt),
  };
}
