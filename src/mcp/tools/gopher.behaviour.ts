/** What the Gopher tools do. */
import type { FetchPipeline } from '../../fetch/index.js';
import { GopherModule, GopherPipeline } from '../../gopher/index.js';
import { defineBehaviour } from '../define-behaviour.js';
import { OptionalTextArgument } from '../tool-arguments.js';
import { BatchFetchArguments, FetchArguments, fetchBatch, fetchOne } from './fetch.behaviour.js';

class GopherFetchArguments extends FetchArguments {
  @OptionalTextArgument()
  search: string | null = null;
}

/** What {@link gopherFetch} of the table does. */
export const gopherFetch = defineBehaviour({
  Args: GopherFetchArguments,
  domain: GopherModule,
  bind: (services) => {
    const pipeline = services.get<FetchPipeline>(GopherPipeline);
    return ({ search, ...page }, call) => fetchOne(pipeline, { ...page, answer: search }, call);
  },
});

/** What {@link gopherBatchFetch} of the table does. */
export const gopherBatchFetch = defineBehaviour({
  Args: BatchFetchArguments,
  domain: GopherModule,
  bind: (services) => {
    const pipeline = services.get<FetchPipeline>(GopherPipeline);
    return (args, call) => fetchBatch(pipeline, args, call);
  },
});
