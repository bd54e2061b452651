/** The official TypeScript clients against the built server. */
import { describeClient } from './behaviour.js';
import { connectV1 } from './typescript-v1.js';
import { connectV2 } from './typescript-v2.js';

const HANDSHAKE = '2025-11-25';
const STATELESS = '2026-07-28';

describeClient('TypeScript client 1', connectV1, HANDSHAKE);
describeClient('TypeScript client 2', connectV2('legacy'), HANDSHAKE);
describeClient('TypeScript client 2, which tries the newest', connectV2('auto'), STATELESS);
describeClient('TypeScript client 2, which insists', connectV2({ pin: STATELESS }), STATELESS);
