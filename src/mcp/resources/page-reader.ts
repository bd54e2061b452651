/**
 * Pages as resources: read through the same pipeline and policy as the tools, given in the compact form.
 *
 * - A page is its text, in the form that the fetch tools call `text`. Where it is cut, a last line says so, since readers of a
 *   resource see nothing but its text; the marks of its origin and of its cache stand in `_meta`.
 * - What is no text (a binary, an input prompt, a redirect, a certificate prompt) is its result as JSON.
 * - A failure is a failure: {@link ReadFailure}, never text that could be taken for a page.
 */
import { Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { isJsonObject, type JsonObject } from '../../common/json.js';
import { parsePayload } from '../../common/payload.js';
import { err, ok, type Result } from '../../common/result.js';
import type { FetchCall, FetchContext, FetchPipeline } from '../../fetch/index.js';
import type { PageTemplate } from './page-template.js';

/** A resource as it is read. */
export interface PageContents {
  readonly uri: string;
  readonly mimeType: string;
  readonly text: string;
  readonly _meta?: { readonly [key: string]: JsonObject };
}

/** Why there is no page: the `error` of the result, with the marks of its origin where it carries a server's words. */
export interface ReadFailure {
  /** Ours alone. */
  readonly message: string;
  readonly detail: JsonObject;
}

/** Where a page's facts stand in `_meta`. */
export const PAGE_META_KEY = 'gopher-mcp/page';

/** See the file's header. */
@Injectable()
export class PageReader {
  constructor(@Inject(ModuleRef) private readonly services: ModuleRef) {}

  /** Reads the page that `uri` names. */
  async read(
    { pipeline: token, tool }: PageTemplate,
    uri: string,
    signal: AbortSignal,
    context: FetchContext,
  ): Promise<Result<PageContents, ReadFailure>> {
    const pipeline = this.services.get<FetchPipeline>(token, { strict: false });
    const call: FetchCall = { url: uri, answer: null, refresh: false, offset: 0, format: 'text' };
    const result = parsePayload(await pipeline.fetch(call, signal, context));
    return result['kind'] === 'error' ? err(failureOf(result)) : ok(contentsOf(uri, result, tool));
  }
}

function failureOf({ error, untrusted, source_host }: JsonObject): ReadFailure {
  const detail = isJsonObject(error) ? error : {};
  const message = typeof detail['message'] === 'string' ? detail['message'] : 'The page could not be read.';
  return { message, detail: { ...detail, untrusted, source_host } };
}

function contentsOf(asked: string, result: JsonObject, tool: string): PageContents {
  const { text, content, ...facts } = result;
  const page = text ?? content;
  const uri = shownUri(asked, result);
  if (typeof page !== 'string') return { uri, mimeType: 'application/json', text: JSON.stringify(result) };
  return {
    uri,
    mimeType: mediaTypeOf(result),
    text: page + cutNotice(result, tool),
    _meta: { [PAGE_META_KEY]: facts },
  };
}

/** The URI as it was asked for; an answer to a question of a Gemini capsule is not repeated, here as little as in any result. */
function shownUri(asked: string, { request_info: info }: JsonObject): string {
  const { url, has_query: hasQuery } = isJsonObject(info) ? info : {};
  return hasQuery === true && typeof url === 'string' ? url : asked;
}

function mediaTypeOf({ mime_type: media }: JsonObject): string {
  const { type, subtype } = isJsonObject(media) ? media : {};
  return typeof type === 'string' && typeof subtype === 'string' ? `${type}/${subtype}` : 'text/plain';
}

function cutNotice({ truncated, next_offset: offset }: JsonObject, tool: string): string {
  if (truncated !== true || typeof offset !== 'number') return '';
  return `\n[The page goes on. Read the rest with ${tool} and offset ${offset}, format "text".]\n`;
}
