import { GeminiPipeline } from '../gemini/gemini-pipeline.token.js';
import { GopherPipeline } from '../gopher/gopher-pipeline.token.js';
import type { PageTemplate } from './resources/page-template.js';
import type { Tool } from './tool.js';

/** Every resource template, in the order in which clients see them. */
export const TEMPLATE_TABLE: readonly PageTemplate[] = [
  { scheme: 'gopher', tool: 'gopher_fetch', pages: 'Gopher page', pipeline: GopherPipeline },
  { scheme: 'gemini', tool: 'gemini_fetch', pages: 'Gemini page', pipeline: GeminiPipeline },
];

/** The templates whose pages can be fetched with these tools. */
export function servedTemplates(table: readonly PageTemplate[], tools: readonly Tool[]): readonly PageTemplate[] {
  return table.filter(({ tool }) => tools.some(({ name }) => name === tool));
}
