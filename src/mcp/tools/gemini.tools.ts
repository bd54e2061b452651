/** The Gemini fetch tools. */
import type { Tool } from '../tool.js';
import { geminiResult, geminiResultList } from '../schemas/gemini-results.schema.js';
import { input, nullable } from '../schemas/schema-builders.js';
import { formatField, offsetField, READS, refreshField, UNTRUSTED_NOTE, urlsField } from './fetch-fields.js';

/** One Gemini resource. */
export const geminiFetch: Tool = {
  name: 'gemini_fetch',
  title: 'Fetch Gemini resource',
  description: `Fetch one Gemini resource by its gemini:// URL. Branch on "kind":
- "gemtext": document.lines and document.links. "success": other text in content. "binary": only size and mime_type.
- "input": the capsule asks a question (prompt). Call again with the answer in "input"; do not build the query yourself. When "sensitive" is true the answer is a secret: ask the user, never repeat it.
- "redirect": not followed for you. Fetch new_url if it makes sense: at most five in a row, never a URL already visited. cross_host: true leads to another host or port, another "scheme" needs another tool; tell the user first.
- "certificate": a client identity is needed (status 60) or was refused (61) or is invalid (62). Only 60 is answered by creating one with gemini_client_cert_update, and only when the user agrees. "message" is the capsule's text, "next_step" is ours.
- "error": error.code and error.message are ours, error.meta is the capsule's text, error.next_step says what to do.
When "truncated" is true, call again with "offset" set to next_offset; one window is not the whole page.
"cached": true is a replay aged cache_age_seconds; set "refresh" for the current state.
${UNTRUSTED_NOTE}`,
  annotations: READS,
  inputSchema: input(
    {
      url: {
        type: 'string',
        description: 'gemini://host[:port]/path[?query]',
        examples: ['gemini://geminiprotocol.net/', 'gemini://geminiprotocol.net/docs/'],
      },
      input: {
        ...nullable({ type: 'string' }),
        description: 'Answer to an "input" result, not encoded; replaces the query of the URL.',
        examples: ['gemini software'],
      },
      refresh: refreshField,
      offset: offsetField('characters of text'),
      format: formatField,
    },
    ['url'],
  ),
  outputSchema: geminiResult,
  scope: 'smallweb:read',
  batch: false,
  load: async () => (await import('./gemini.behaviour.js')).geminiFetch,
};

/** Several Gemini resources. */
export const geminiBatchFetch: Tool = {
  name: 'gemini_batch_fetch',
  title: 'Fetch multiple Gemini resources',
  description: `Fetch up to 50 gemini:// URLs in one call; result[i] is what gemini_fetch would give for urls[i].
Requests to one host are spaced out, so a batch helps most across hosts. A truncated item is continued with gemini_fetch and its next_offset.
${UNTRUSTED_NOTE}`,
  annotations: READS,
  inputSchema: input({ urls: urlsField('gemini'), refresh: refreshField }, ['urls']),
  outputSchema: geminiResultList,
  scope: 'smallweb:read',
  batch: true,
  load: async () => (await import('./gemini.behaviour.js')).geminiBatchFetch,
};
