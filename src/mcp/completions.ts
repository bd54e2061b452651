/**
 * Completion of arguments that are URLs, from the pages that the caller itself has fetched. What was typed may stand anywhere
 * in the URL and in any case, since nobody types a scheme first; the newest visits come first. Pages that the caller may not read
 * now are not offered.
 */
import { err, ok, type Result } from '../common/result.js';
import { PROMPTS, URL_ARGUMENT } from './prompts/prompts.js';
import { POLICY_RESOURCE } from './resources/policy.resource.js';
import { TEMPLATE_VARIABLE, uriTemplateOf, type PageTemplate } from './resources/page-template.js';
import type { Visits } from './visits.js';

/** Most values of one completion, as the protocol says. */
export const MAX_COMPLETIONS = 100;

/** What is to be completed. */
export interface CompletionRequest {
  readonly ref:
    { readonly type: 'ref/prompt'; readonly name: string } | { readonly type: 'ref/resource'; readonly uri: string };
  readonly argument: { readonly name: string; readonly value: string };
}

/** Values for an argument. */
export interface Completion {
  /** At most {@link MAX_COMPLETIONS}. */
  readonly values: string[];
  /** How many there are. */
  readonly total: number;
  readonly hasMore: boolean;
}

/**
 * Completes an argument of a prompt or of a resource template.
 *
 * @param visits of the caller; undefined when nothing is remembered of it
 * @returns an error (for JSON-RPC -32602) when there is no such prompt, template or argument
 */
export function complete(
  { ref, argument }: CompletionRequest,
  templates: readonly PageTemplate[],
  visits: Visits | undefined,
): Result<Completion, string> {
  const starts = templates.map(({ scheme }) => `${scheme}://`);
  const urls = (visits?.newestFirst() ?? []).filter((url) => starts.some((start) => url.startsWith(start)));
  const candidates =
    ref.type === 'ref/prompt'
      ? forPrompt(ref.name, argument.name, urls)
      : forTemplate(ref.uri, argument.name, templates, urls);
  if (!candidates.ok) return candidates;
  const typed = argument.value.toLowerCase();
  const fitting = candidates.value.filter((value) => value.toLowerCase().includes(typed));
  const values = fitting.slice(0, MAX_COMPLETIONS);
  return ok({ values, total: fitting.length, hasMore: fitting.length > values.length });
}

function forPrompt(name: string, argument: string, urls: readonly string[]): Result<readonly string[], string> {
  const prompt = PROMPTS.find((one) => one.name === name);
  if (!prompt) return err('There is no prompt of this name.');
  if (!prompt.arguments.some((one) => one.name === argument)) return err('The prompt has no argument of this name.');
  return ok(argument === URL_ARGUMENT ? urls : []);
}

function forTemplate(
  uri: string,
  argument: string,
  templates: readonly PageTemplate[],
  urls: readonly string[],
): Result<readonly string[], string> {
  // A resource without variables has nothing to complete, and says so rather than being unknown.
  if (uri === POLICY_RESOURCE.uri) return ok([]);
  const template = templates.find((one) => uriTemplateOf(one) === uri);
  if (!template) return err('There is no resource template of this URI.');
  if (argument !== TEMPLATE_VARIABLE) return err('The resource template has no variable of this name.');
  const start = `${template.scheme}://`;
  return ok(urls.filter((url) => url.startsWith(start)).map((url) => url.slice(start.length)));
}
