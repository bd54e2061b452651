import type { Tool } from './tool.js';

/** The Nest modules behind these tools, each once. Loading them is what greeting a client does not wait for. */
export async function loadDomains(tools: readonly Tool[]): Promise<(new () => object)[]> {
  const loaders = new Set(tools.map(({ loadModule }) => loadModule));
  return Promise.all([...loaders].map((load) => load()));
}
