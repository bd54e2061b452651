/** The official Python clients against the built server. */
import { describeClient } from './behaviour.js';
import { connectPython } from './python.js';

const HANDSHAKE = '2025-11-25';
const STATELESS = '2026-07-28';

describeClient('Python client 1', connectPython('python-1', 'legacy'), HANDSHAKE);
describeClient('Python client 2', connectPython('python-2', 'legacy'), HANDSHAKE);
describeClient('Python client 2, which tries the newest', connectPython('python-2', 'auto'), STATELESS);
