/**
 * What a status outside 2x means to the caller: texts of ours that say what happened and what to do next. The capsule's own
 * words stay in `meta`, `prompt` and `message`.
 *
 * @see https://geminiprotocol.net/docs/protocol-specification.gmi (Status codes)
 */
import { failure, type Failure } from '../../common/error-codes.js';
import type { JsonObject } from '../../common/json.js';
import { sanitizeField } from '../../common/text/sanitize.js';
import type { ResponseHeader } from './header.js';

/** 1x: the capsule asks for input; only 11 is a secret. */
export function inputPrompt({ status, meta }: ResponseHeader): JsonObject & { readonly kind: string } {
  return { kind: 'input', prompt: sanitizeField(meta), sensitive: status === 11 };
}

/** 6x: the capsule wants a client certificate, or refuses the one it got. */
export function certificatePrompt({ status, meta }: ResponseHeader): JsonObject & { readonly kind: string } {
  return {
    kind: 'certificate',
    message: sanitizeField(meta),
    status,
    required: status === 60,
    next_step: CERTIFICATE_STEPS.get(status) ?? UNKNOWN_CERTIFICATE_STEP,
  };
}

/** 4x: TEMPORARY_ERROR; 5x: PERMANENT_ERROR. */
export function statusFailure({ status, meta }: ResponseHeader): Failure {
  const temporary = status < 50;
  const { says, next } = STATUS_TEXTS.get(status) ?? (temporary ? UNKNOWN_TEMPORARY : UNKNOWN_PERMANENT);
  return failure(temporary ? 'TEMPORARY_ERROR' : 'PERMANENT_ERROR', `The capsule answered ${status}: ${says}.`, {
    meta: sanitizeField(meta),
    status,
    temporary,
    next_step: next,
  });
}

interface StatusText {
  readonly says: string;
  readonly next: string;
}

const UNKNOWN_TEMPORARY: StatusText = {
  says: 'a temporary failure',
  next: 'Try once more after a pause; if it fails again, report it with the text of the capsule (meta).',
};

const UNKNOWN_PERMANENT: StatusText = {
  says: 'a permanent failure',
  next: 'Do not retry; report it with the text of the capsule (meta).',
};

const STATUS_TEXTS: ReadonlyMap<number, StatusText> = new Map([
  [40, UNKNOWN_TEMPORARY],
  [
    41,
    {
      says: 'the server is unavailable, from overload or maintenance',
      next: 'Try once more after a pause; if it fails again the whole capsule is down: report that, and try no other paths.',
    },
  ],
  [
    42,
    {
      says: 'a script behind this URL failed',
      next: 'Try the same URL once more; if it fails again, report it. The text in meta is what the script said.',
    },
  ],
  [
    43,
    {
      says: 'the capsule could not reach the server it stands in front of',
      next: 'Try the same URL once more; if it fails again, report it.',
    },
  ],
  [
    44,
    {
      says: 'it asks to be left alone for a while',
      next: 'Wait as many seconds as meta names, or a minute if it names none, before asking this host for anything. Requests that come too early are held back here.',
    },
  ],
  [50, UNKNOWN_PERMANENT],
  [
    51,
    {
      says: 'there is nothing at this URL',
      next: 'Do not retry. Check the spelling, or look for the page from the root of the capsule.',
    },
  ],
  [52, { says: 'the page is gone for good', next: 'Do not retry; stop using this URL.' }],
  [
    53,
    {
      says: 'it does not serve this host name',
      next: 'Do not retry. The link is probably wrong about the host or the port.',
    },
  ],
  [
    59,
    {
      says: 'it could not understand the request',
      next: 'Do not retry unchanged. Check the URL and its query.',
    },
  ],
]);

const CERTIFICATE_STEPS: ReadonlyMap<number, string> = new Map([
  [
    60,
    'Ask the user whether to create a client identity for this capsule. Only if they agree, call gemini_client_cert_update with action "create" and this URL, then fetch again.',
  ],
  [
    61,
    'The capsule knows the identity and refuses it for this page. Creating another identity does not help: tell the user, who may have to ask the author of the capsule.',
  ],
  [
    62,
    'The identity was not accepted as valid; most likely it has expired. Call gemini_client_cert_list; with the consent of the user remove it by its fingerprint and create a new one.',
  ],
]);

const UNKNOWN_CERTIFICATE_STEP =
  'This certificate status is not defined. Report it to the user with the text of the capsule (message), and change no identity because of it.';
