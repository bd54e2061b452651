/** What the fetch tools of all protocols share: arguments, and the way from a call to the protocol's pipeline. */
import { failure } from '../../common/error-codes.js';
import type { ResultPayload } from '../../common/payload.js';
import { errorPayload, type FetchCall, type FetchPipeline, type RenderFormat } from '../../fetch/index.js';
import {
  ChoiceArgument,
  FlagArgument,
  TextArgument,
  TextListArgument,
  WholeNumberArgument,
} from '../tool-arguments.js';
import type { ToolCall, ToolOutcome } from '../tool.js';
import { MAX_BATCH_URLS, RENDER_FORMATS } from './fetch-fields.js';

/** Arguments that every single fetch takes. */
export class FetchArguments {
  @TextArgument()
  url = '';

  @FlagArgument()
  refresh = false;

  @WholeNumberArgument(0)
  offset = 0;

  @ChoiceArgument(RENDER_FORMATS)
  format: RenderFormat = 'full';
}

/** Arguments of every batch fetch. */
export class BatchFetchArguments {
  @TextListArgument()
  urls: string[] = [];

  @FlagArgument()
  refresh = false;
}

/** Runs one fetch. */
export async function fetchOne(
  pipeline: FetchPipeline,
  call: FetchCall,
  { signal, fetchContext }: ToolCall,
): Promise<ToolOutcome> {
  return { kind: 'single', payload: await pipeline.fetch(call, signal, fetchContext) };
}

/**
 * Fetches several URLs; result i belongs to URL i. More than {@link MAX_BATCH_URLS} give one INVALID_REQUEST for each,
 * and nothing is fetched.
 */
export async function fetchBatch(
  pipeline: FetchPipeline,
  { urls, refresh }: BatchFetchArguments,
  { signal, progress, fetchContext }: ToolCall,
): Promise<ToolOutcome> {
  if (urls.length > MAX_BATCH_URLS) return { kind: 'batch', payloads: urls.map((url) => tooMany(pipeline, url)) };
  const calls = urls.map((url): FetchCall => ({ url, answer: null, refresh, offset: 0, format: 'full' }));
  const onDone = (finished: number): void => progress(finished, urls.length);
  const payloads = await pipeline.fetchAll(calls, signal, onDone, fetchContext);
  return { kind: 'batch', payloads };
}

function tooMany(pipeline: FetchPipeline, url: string): ResultPayload {
  const refused = failure('INVALID_REQUEST', `A batch takes at most ${MAX_BATCH_URLS} URLs; nothing was fetched.`, {
    reason: 'argument',
    next_step: `Split the list into calls of at most ${MAX_BATCH_URLS} URLs.`,
  });
  return errorPayload(refused, pipeline.describeRefused(url));
}
