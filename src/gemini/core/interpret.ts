/** What a response means: a document, a question or pointer for the caller, or a failure. */
import type { Failure } from '../../common/error-codes.js';
import type { JsonObject } from '../../common/json.js';
import { decodeBody, type GeminiDocument } from './document.js';
import { finalMediaType, refuseDenied } from './media.js';
import { parseMime } from './mime.js';
import { redirectAnswer, redirectTarget } from './redirect.js';
import type { CutReason, GeminiResponse } from './response-reader.js';
import { certificatePrompt, inputPrompt, statusFailure } from './status.js';
import type { GeminiRequest } from './url.js';

/** What came of a request, once a server answered it in form. */
export type Outcome =
  | { readonly kind: 'document'; readonly document: GeminiDocument; readonly incomplete: CutReason | null }
  /** A result that is complete as it is: a prompt or a redirect. */
  | { readonly kind: 'answer'; readonly members: JsonObject & { readonly kind: string } }
  /** `slowDown`: the field of a 44, verbatim. */
  | { readonly kind: 'failure'; readonly failure: Failure; readonly slowDown?: string };

/**
 * Interprets the response to `request` by its status. Failures: TEMPORARY_ERROR, PERMANENT_ERROR, INVALID_REDIRECT,
 * CONTENT_FILTERED.
 *
 * @param denied media types that the operator does not allow: lowercase, exact or `type/*`
 */
export function interpretResponse(
  request: GeminiRequest,
  response: GeminiResponse,
  denied: readonly string[],
): Outcome {
  const { header } = response;
  const { status, meta } = header;
  switch (Math.floor(status / 10)) {
    case 1:
      return { kind: 'answer', members: inputPrompt(header) };
    case 2:
      return interpretBody(response, denied);
    case 3: {
      const target = redirectTarget(request, header);
      return target.ok
        ? { kind: 'answer', members: redirectAnswer(header, target.value) }
        : { kind: 'failure', failure: target.error };
    }
    case 6:
      return { kind: 'answer', members: certificatePrompt(header) };
    default:
      return status === 44
        ? { kind: 'failure', failure: statusFailure(header), slowDown: meta }
        : { kind: 'failure', failure: statusFailure(header) };
  }
}

function interpretBody({ header, body, incomplete }: GeminiResponse, denied: readonly string[]): Outcome {
  const declared = parseMime(header.meta);
  const media = finalMediaType(declared, body);
  const failure = refuseDenied(media, denied);
  if (failure !== null) return { kind: 'failure', failure };
  return { kind: 'document', document: decodeBody(media, declared, body, incomplete !== null), incomplete };
}
