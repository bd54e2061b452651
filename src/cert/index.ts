/** Client identities: certificates that a person lets this server present to one capsule, or a part of it. */
export type { Scope } from './core/scope.js';
export { OpenIdentityArchive, type IdentityArchive, type StoredIdentity } from './identity-archive.port.js';
export {
  exportedIdentities,
  importedIdentities,
  importIdentities,
  readIdentities,
  type IdentityImport,
  type NamedIdentity,
  type TransferredIdentities,
} from './identity-transfer.js';
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
export { KeySealer } from './key-sealer.port.js';
export { rekeyIdentities, type LeftKey } from './rekey-identities.js';
export { X509IdentityMinter } from './io/x509-identity-minter.js';
