export type { PageAddress, ResourceAddress } from './page-address.js';
export { PageCache, type CachedPage } from './page-cache.port.js';
export { SharedEntries, type FlightState, type SharedFlight, type SharedReading } from './shared-entries.port.js';
