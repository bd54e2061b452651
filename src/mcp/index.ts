export { loadDomains } from './load-domains.js';
export { PolicyReader } from './resources/policy.resource.js';
export { ServerFactory } from './server-factory.js';
export { servedTools } from './served-tools.js';
export { TOOL_TABLE } from './tool-table.js';
export { ToolRunner } from './tool-runner.js';
export type { Tool } from './tool.js';
