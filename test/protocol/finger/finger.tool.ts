import type { FetchPipeline } from '../../../src/fetch/index.js';
import { defineTool } from '../../../src/mcp/define-tool.js';
import { input } from '../../../src/mcp/schemas/schema-builders.js';
import { FetchArguments, fetchOne } from '../../../src/mcp/tools/fetch.tool.js';
import { FingerModule, FingerPipeline } from './finger.module.js';

export const fingerFetch = defineTool({
  name: 'finger_fetch',
  title: 'Ask a finger server',
  description: 'Fetch one finger:// URL.',
  annotations: { readOnlyHint: true, openWorldHint: true },
  inputSchema: input({ url: { type: 'string' } }, ['url']),
  outputSchema: { type: 'object' },
  batch: false,
  Args: FetchArguments,
  loadModule: () => Promise.resolve(FingerModule),
  bind: (services) => {
    const pipeline = services.get<FetchPipeline>(FingerPipeline);
    return (args, call) => fetchOne(pipeline, { ...args, answer: null }, call);
  },
});
