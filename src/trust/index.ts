/** Trust on first use: who a Gemini server is, remembered from the first connection on. */
export type { PinPolicy, PresentedCertificate } from './core/decide-pin.js';
export { PinChanges } from './pin-changes.js';
export { PinObserver } from './pin-observer.port.js';
export { exportPins, importedPins, importPins, type ImportedPins, type PinImport } from './pin-transfer.js';
export { TrustOptions } from './trust-options.js';
export {
  TrustService,
  type PinTarget,
  type TrustEntry,
  type TrustList,
  type TrustUpdate,
  type Verified,
} from './trust.service.js';
export { TrustStore } from './trust-store.port.js';
