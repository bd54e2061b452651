import { describeIdentityStore } from '../../support/identity-store-contract.js';
import { MemoryIdentityStore } from '../../support/memory-identity-store.js';

describeIdentityStore('MemoryIdentityStore', async () => {
  const store = new MemoryIdentityStore();
  return { store, another: () => store, dispose: () => Promise.resolve() };
});
