/**
 * What this server says of itself to clients of OAuth: protected resource metadata.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9728
 */
import type { JsonObject } from '../../common/json.js';
import { SCOPES } from '../../common/principal.js';

/** Where the metadata of a resource at the root of a host is. */
export const METADATA_PATH = '/.well-known/oauth-protected-resource';

/** The endpoint as a protected resource. */
export interface ProtectedResource {
  /** URL of the metadata. */
  readonly metadataUrl: string;
  /** Path of the metadata: {@link METADATA_PATH} and the path of the resource. */
  readonly metadataPath: string;
  readonly metadata: JsonObject;
}

/** Injection token of {@link ProtectedResource}; what stands behind it is null where no tokens are taken. */
export const ProtectedResource = Symbol('ProtectedResource');

/**
 * @param resource URL of the endpoint as clients know it: the resource identifier, repeated exactly as it was set
 * @param issuer the authorisation server
 */
export function protectedResource(resource: string, issuer: string): ProtectedResource {
  const { origin, pathname } = new URL(resource);
  // RFC 9728, 3.1: the well-known part goes between host and path.
  const metadataPath = METADATA_PATH + (pathname === '/' ? '' : pathname);
  return {
    metadataUrl: origin + metadataPath,
    metadataPath,
    metadata: {
      resource,
      authorization_servers: [issuer],
      scopes_supported: [...SCOPES],
      bearer_methods_supported: ['header'],
      resource_name: 'gopher-mcp',
    },
  };
}
