export { Authentication } from './authentication.js';
export { trustedProxies } from './client-address.js';
export { allowOrigins } from './cross-origin.js';
export { admitsHost, hostPolicy, isLoopback } from './host-policy.js';
export { parseJsonBodies } from './json-body.js';
export { TransportLoad } from './transport-load.port.js';
export { guardMcpEndpoints, McpEdgeFilter } from './mcp-edge.js';
export { requestIds, tellRequestIds } from './request-id.js';
