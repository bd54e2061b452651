export { hostPolicy, isLoopback } from './host-policy.js';
export { parseJsonBodies } from './json-body.js';
export { guardMcpEndpoints, McpEdgeFilter } from './mcp-edge.js';
