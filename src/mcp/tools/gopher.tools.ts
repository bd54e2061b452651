/** The Gopher tools. */
import type { Tool } from '../tool.js';
import { gopherResult, gopherResultList } from '../schemas/gopher-results.schema.js';
import { input, nullable } from '../schemas/schema-builders.js';
import { formatField, offsetField, READS, refreshField, UNTRUSTED_NOTE, urlsField } from './fetch-fields.js';

/** One Gopher resource. */
export const gopherFetch: Tool = {
  name: 'gopher_fetch',
  title: 'Fetch Gopher resource',
  description: `Fetch one Gopher menu, text, search or file by its gopher:// URL. Branch on "kind":
- "menu": items[]; follow an item by passing its next_url. An empty next_url is display text or cannot be fetched.
- "text": text.
- "binary": only bytes and mime_type; the content of files is not delivered.
- "error": error.code, error.message and, where there is one, error.next_step. Types 2, 8 and T need another client (NOT_FETCHABLE).
To search (item type 7) give the terms in "search"; they are encoded for you and replace any in the URL.
When "truncated" is true, call again with "offset" set to next_offset; one window is not the whole page.
"cached": true is a replay aged cache_age_seconds; set "refresh" for the current state.
${UNTRUSTED_NOTE}`,
  annotations: READS,
  inputSchema: input(
    {
      url: {
        type: 'string',
        description: 'gopher://host[:port]/<type><selector>; without a path, the root menu.',
        examples: ['gopher://gopher.floodgap.com/', 'gopher://gopher.floodgap.com/0/gopher/welcome'],
      },
      search: {
        ...nullable({ type: 'string' }),
        description: 'Search terms for an item of type 7, not encoded.',
        examples: ['history of gopher'],
      },
      refresh: refreshField,
      offset: offsetField('menu items, or characters of text'),
      format: formatField,
    },
    ['url'],
  ),
  outputSchema: gopherResult,
  scope: 'smallweb:read',
  batch: false,
  load: async () => (await import('./gopher.behaviour.js')).gopherFetch,
};

/** Several Gopher resources. */
export const gopherBatchFetch: Tool = {
  name: 'gopher_batch_fetch',
  title: 'Fetch multiple Gopher resources',
  description: `Fetch up to 50 gopher:// URLs in one call; result[i] is what gopher_fetch would give for urls[i].
Requests to one host are spaced out, so a batch helps most across hosts. A truncated item is continued with gopher_fetch and its next_offset.
${UNTRUSTED_NOTE}`,
  annotations: READS,
  inputSchema: input({ urls: urlsField('gopher'), refresh: refreshField }, ['urls']),
  outputSchema: gopherResultList,
  scope: 'smallweb:read',
  batch: true,
  load: async () => (await import('./gopher.behaviour.js')).gopherBatchFetch,
};
