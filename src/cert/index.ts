/** Client identities: certificates that a person lets this server present to one capsule, or a part of it. */
export type { Scope } from './core/scope.js';
export { IdentityMinter, type KeyPairPem, type KeyType } from './identity-minter.port.js';
export { IdentityOptions } from './identity-options.js';
export {
  IdentityService,
  type ClientCertEntry,
  type ClientCertList,
  type ClientCertUpdate,
  type ClientIdentity,
} from './identity.service.js';
export { IdentityStores, type IdentityStore } from './identity-store.port.js';
export { X509IdentityMinter } from './io/x509-identity-minter.js';
