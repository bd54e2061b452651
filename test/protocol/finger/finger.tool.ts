import type { FetchPipeline } from '../../../src/fetch/index.js';
import { defineBehaviour } from '../../../src/mcp/define-behaviour.js';
import { input } from '../../../src/mcp/schemas/schema-builders.js';
import type { Tool } from '../../../src/mcp/tool.js';
import { FetchArguments, fetchOne } from '../../../src/mcp/tools/fetch.behaviour.js';
import { FingerModule, FingerPipeline } from './finger.module.js';

export const fingerFetch: Tool = {
  name: 'finger_fetch',
  title: 'Ask a finger server',
  description: 'Fetch one finger:// URL.',
  annotations: { readOnlyHint: true, openWorldHint: true },
  inputSchema: input({ url: { type: 'string' } }, ['url']),
  outputSchema: { type: 'object' },
  scope: 'smallweb:read',
  batch: false,
  load: () =>
    Promise.resolve(
      defineBehaviour({
        Args: FetchArguments,
        domain: FingerModule,
        bind: (services) => {
          const pipeline = services.get<FetchPipeline>(FingerPipeline);
          return (args, call) => fetchOne(pipeline, { ...args, answer: null }, call);
        },
      }),
    ),
};
