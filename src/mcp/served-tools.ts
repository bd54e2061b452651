import type { Tool } from './tool.js';

/** What an operator chose of the tools. */
export interface ToolSelection {
  /** Names of the only tools served; null = all. */
  readonly tools: readonly string[] | null;
  /** Serve only tools that change nothing. */
  readonly readOnly: boolean;
}

/** The part of the table that is listed and can be called, in its order. */
export function servedTools(table: readonly Tool[], { tools, readOnly }: ToolSelection): readonly Tool[] {
  return table.filter(
    ({ name, annotations }) => (tools === null || tools.includes(name)) && (!readOnly || annotations.readOnlyHint),
  );
}

/** The part of the served tools that one caller wants to see: it can leave tools out, never bring any in. */
export function narrowed(served: readonly Tool[], narrowing: ToolSelection | undefined): readonly Tool[] {
  return narrowing === undefined ? served : servedTools(served, narrowing);
}
