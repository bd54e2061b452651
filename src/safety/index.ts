export type { RobotsProbe } from './robots-probe.js';
export type { VettedAddress } from './vetted-address.js';
