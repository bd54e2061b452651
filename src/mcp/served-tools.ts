/**
 * Which tools a caller can use. Each step only ever leaves tools out:
 *
 *   table -> served (the operator's choice) -> offered (its tenant's rules, its request's own wish) -> visible (its scopes)
 *
 * A tool that is not visible is not listed, and neither are the resource templates that read the same pages. One that is offered
 * can become visible with a credential for more; one that is not is unknown.
 */
import { LOCAL_PRINCIPAL, SCOPES, type Principal, type Scope } from '../common/principal.js';
import type { Tool } from './tool.js';

/** What an operator chose of the tools. */
export interface ToolSelection {
  /** Names of the only tools served; null = all. */
  readonly tools: readonly string[] | null;
  /** Serve only tools that change nothing. */
  readonly readOnly: boolean;
}

/** Who looks at the tools. */
export interface Viewer {
  readonly principal: Principal;
  /** What its request wants to see of the tools; undefined = all. */
  readonly narrowing: ToolSelection | undefined;
}

/** The part of the table that is listed and can be called, in its order. */
export function servedTools(table: readonly Tool[], { tools, readOnly }: ToolSelection): readonly Tool[] {
  return table.filter(
    ({ name, annotations }) => (tools === null || tools.includes(name)) && (!readOnly || annotations.readOnlyHint),
  );
}

/** The part of the served tools that a viewer could use, had it every scope that its tenant can have. */
export function offeredTools(served: readonly Tool[], { principal: { rules }, narrowing }: Viewer): readonly Tool[] {
  const wanted = narrowing === undefined ? served : servedTools(served, narrowing);
  if (rules === undefined) return wanted;
  return wanted.filter(({ name, scope }) => rules.scopes.has(scope) && (rules.tools?.has(name) ?? true));
}

/** The part of the served tools that a viewer can use. The very same list for a viewer who may use all. */
export function visibleTools(served: readonly Tool[], viewer: Viewer): readonly Tool[] {
  const offered = offeredTools(served, viewer);
  const { scopes } = viewer.principal;
  return scopes.size === SCOPES.length
    ? offered
    : offered.filter((tool) => missingScope(tool, viewer.principal) === null);
}

/** The scope that a principal lacks for a tool; null when it has it. */
export function missingScope({ scope }: Tool, { scopes }: Principal): Scope | null {
  return scopes.has(scope) ? null : scope;
}

/** Whether what is listed may differ from what others are shown: then no answer may be kept for anybody else. */
export function isPersonal({ principal, narrowing }: Viewer): boolean {
  return principal !== LOCAL_PRINCIPAL || narrowing !== undefined;
}
