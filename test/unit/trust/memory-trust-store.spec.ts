import { MemoryTrustStore } from '../../support/memory-trust-store.js';
import { describeTrustStore } from '../../support/trust-store-contract.js';

describeTrustStore('MemoryTrustStore', async () => {
  const store = new MemoryTrustStore();
  return { store, another: () => store, dispose: () => Promise.resolve() };
});
