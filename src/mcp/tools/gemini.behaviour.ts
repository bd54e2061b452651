/** What the Gemini fetch tools do. */
import type { FetchPipeline } from '../../fetch/index.js';
import { GeminiModule, GeminiPipeline } from '../../gemini/index.js';
import { defineBehaviour } from '../define-behaviour.js';
import { OptionalTextArgument } from '../tool-arguments.js';
import { BatchFetchArguments, FetchArguments, fetchBatch, fetchOne } from './fetch.behaviour.js';

class GeminiFetchArguments extends FetchArguments {
  @OptionalTextArgument()
  input: string | null = null;
}

/** What {@link geminiFetch} of the table does. */
export const geminiFetch = defineBehaviour({
  Args: GeminiFetchArguments,
  domain: GeminiModule,
  bind: (services) => {
    const pipeline = services.get<FetchPipeline>(GeminiPipeline);
    return ({ input: answer, ...page }, call) => fetchOne(pipeline, { ...page, answer }, call);
  },
});

/** What {@link geminiBatchFetch} of the table does. */
export const geminiBatchFetch = defineBehaviour({
  Args: BatchFetchArguments,
  domain: GeminiModule,
  bind: (services) => {
    const pipeline = services.get<FetchPipeline>(GeminiPipeline);
    return (args, call) => fetchBatch(pipeline, args, call);
  },
});
