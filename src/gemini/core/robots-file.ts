/**
 * What the answer to a request for robots.txt says about the policy of a capsule.
 *
 * A success that is text is a policy, whatever kind of text. A failure that may pass (4x) means that the policy is not known;
 * anything else means that there is none, except that one redirect within the same host and port may be followed.
 *
 * @see https://geminiprotocol.net/docs/companion/robots.gmi
 */
import { decodeBody } from './document.js';
import { finalMediaType } from './media.js';
import { parseMime } from './mime.js';
import { redirectTarget } from './redirect.js';
import type { GeminiResponse } from './response-reader.js';
import type { GeminiRequest } from './url.js';

/** Longest part of a policy file that is read, header included; the bound of RFC 9309 section 2.5, in bytes. */
export const MAX_ROBOTS_BYTES = 512_000;

/** What is known of the policy. */
export type RobotsReading =
  | { readonly kind: 'policy'; readonly text: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'moved'; readonly target: GeminiRequest }
  | {
      readonly kind: 'unavailable';
      readonly cause: string;
      readonly reason?: 'timeout';
      /** Whether one more try makes sense at once. */
      readonly retry?: true;
      /** The field of a 44, verbatim. */
      readonly slowDown?: string;
    };

/** Reads the policy out of the response to `request`. */
export function readRobots(request: GeminiRequest, response: GeminiResponse): RobotsReading {
  const { status, meta } = response.header;
  switch (Math.floor(status / 10)) {
    case 2:
      return readPolicy(response);
    case 3: {
      const target = redirectTarget(request, response.header);
      if (!target.ok || target.value.crossHost || target.value.request === null) return { kind: 'absent' };
      return { kind: 'moved', target: target.value.request };
    }
    case 4: {
      const cause = `status ${status}`;
      return status === 44 ? { kind: 'unavailable', cause, slowDown: meta } : { kind: 'unavailable', cause };
    }
    default:
      return { kind: 'absent' };
  }
}

function readPolicy({ header, body, incomplete }: GeminiResponse): RobotsReading {
  if (incomplete === 'timeout') return { kind: 'unavailable', cause: 'timed out', reason: 'timeout', retry: true };
  const declared = parseMime(header.meta);
  const document = decodeBody(finalMediaType(declared, body), declared, body, incomplete !== null);
  if (document.kind === 'binary') return { kind: 'absent' };
  const { text } = document;
  // Half a rule is another rule.
  const end = incomplete === 'size_cap' ? Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1 : text.length;
  return { kind: 'policy', text: text.slice(0, end) };
}
