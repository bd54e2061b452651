import type { LoadedTool, Tool } from './tool.js';

/** Loads what the tools do: what greeting a client does not wait for. */
export function loadTools(tools: readonly Tool[]): Promise<readonly LoadedTool[]> {
  return Promise.all(tools.map(async (tool) => ({ tool, behaviour: await tool.load() })));
}
