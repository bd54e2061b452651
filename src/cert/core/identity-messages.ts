/** What callers are told about identities. Names scopes and fingerprints, never a key or a path on this machine. */
import { fail, failure, type Failure } from '../../common/error-codes.js';
import { isIdentityExpired, shownInstant, type IdentityRecord } from './identity-record.js';
import { scopeUrl, type Scope } from './scope.js';
import type { SealTrouble } from './seal-trouble.js';

type Failed = { readonly ok: false; readonly error: Failure };

/** Identities named one by one in a message; the rest is counted. */
const NAMED_AT_MOST = 5;

/** CLIENT_CERTS_DISABLED. */
export function disabledFailure(): Failed {
  return fail(
    'CLIENT_CERTS_DISABLED',
    'Client identities are turned off (GEMINI_CLIENT_CERTS_ENABLED): none is stored or presented.',
    { next_step: 'Only the operator can turn them on.' },
  );
}

/** INVALID_REQUEST about an argument of the identity tools. */
export function argumentFailure(message: string, nextStep: string): Failed {
  return fail('INVALID_REQUEST', message, { reason: 'argument', next_step: nextStep });
}

/** CERTIFICATE_EXISTS. */
export function existsFailure(identity: IdentityRecord, nowMs: number): Failed {
  return fail(
    'CERTIFICATE_EXISTS',
    `The identity ${identity.fingerprint} for ${scopeUrl(identity)} already covers that path (${validity(identity, nowMs)}); nothing was created.`,
    {
      next_step:
        'It is presented without being asked for. To replace it, remove it by its fingerprint first, if the user agrees: whoever knows them by it will not know them any more.',
    },
  );
}

/** FINGERPRINT_MISMATCH; `owner` is the identity that does have the fingerprint. */
export function mismatchFailure(covering: IdentityRecord, owner: IdentityRecord | undefined): Failed {
  const hint =
    owner === undefined
      ? 'No stored identity has it.'
      : `It belongs to the identity for ${scopeUrl(owner)}, which is another one.`;
  return fail(
    'FINGERPRINT_MISMATCH',
    `The identity for ${scopeUrl(covering)} has another fingerprint than the one given; nothing was removed. ${hint}`,
    {
      next_step:
        owner === undefined
          ? 'Call gemini_client_cert_list and pass the fingerprint and URL shown there.'
          : 'If the user means that one, pass its URL.',
    },
  );
}

/** An identity that changed between the question and the answer. */
export function overtakenFailure(scope: Scope): Failed {
  return fail(
    'FINGERPRINT_MISMATCH',
    `The identity for ${scopeUrl(scope)} was changed by somebody else in the meantime; nothing was removed.`,
    { next_step: 'Call gemini_client_cert_list and ask the user again.' },
  );
}

/** TLS_ERROR: the files are there and cannot be read. */
export function unreadableFailure(identity: IdentityRecord, cause: unknown): Failed {
  return fail(
    'TLS_ERROR',
    `The stored identity for ${scopeUrl(identity)} cannot be read, so nothing was sent.`,
    { next_step: 'This is a local problem: ask the operator to check the files of the identity store.' },
    cause,
  );
}

/** CERTIFICATE_STORE_UNAVAILABLE: no tenant can have that name. */
export function noTenantFailure(): Failure {
  return failure('CERTIFICATE_STORE_UNAVAILABLE', 'There is no place for the identities of this tenant.', {
    next_step:
      'This is a local problem, retrying does not help: ask the operator for a tenant name in the allowed form.',
  });
}

/** TLS_ERROR: the private key of an identity is encrypted, and does not open. */
export function sealedFailure(identity: IdentityRecord, trouble: SealTrouble): Failed {
  const key = `The private key of the stored identity for ${scopeUrl(identity)}`;
  switch (trouble.kind) {
    case 'other_key':
      return fail(
        'TLS_ERROR',
        `${key} is encrypted with a key that this server does not have (id ${trouble.keyId}), so nothing was sent.`,
        {
          next_step:
            'This is a local problem, and nothing is lost: ask the operator to set GOPHER_MCP_STATE_KEY to the key with that id, or GOPHER_MCP_STATE_KEY_OLD if it is the one before.',
        },
      );
    case 'damaged':
      return fail('TLS_ERROR', `${key} is damaged, or is that of another identity, so nothing was sent.`, {
        next_step:
          'This is a local problem: ask the operator to restore the files of the identity store, or remove the identity and make a new one.',
      });
  }
}

/** CERTIFICATE_STORE_UNAVAILABLE: the files of a new identity cannot be written. */
export function unwritableFailure(cause: unknown): Failed {
  return fail(
    'CERTIFICATE_STORE_UNAVAILABLE',
    'The identity store of this server cannot be written; nothing was created.',
    {
      next_step:
        'This is a local problem, retrying does not help: ask the operator to check the place that GEMINI_CLIENT_CERTS_STORAGE_PATH names (by default the data directory).',
    },
    cause,
  );
}

/** The question before an identity is made. */
export function createQuestion(scope: Scope): string {
  return (
    `Create a client identity for ${scopeUrl(scope)}? It is then presented with every request for ` +
    `${scope.path === '/' ? 'that capsule' : 'that path and everything below it'}, so the capsule can tell that these visits are by the same person.`
  );
}

/** The question before an identity is removed; says so when its scope is wider than what was asked about. */
export function removeQuestion(identity: IdentityRecord, asked: Scope): string {
  const wider = identity.path === asked.path ? '' : ` It covers more than ${scopeUrl(asked)}.`;
  return `Remove the client identity ${identity.fingerprint} for ${scopeUrl(identity)} and destroy its key?${wider} It cannot be brought back.`;
}

/** The message of a creation. */
export function createdMessage(identity: IdentityRecord, narrower: readonly IdentityRecord[]): string {
  const created = `Created an identity for ${scopeUrl(identity)}, valid until ${shownInstant(identity.notAfter)}. It is presented with every request for that path and everything below it, which lets the capsule link those requests.`;
  if (narrower.length === 0) return created;
  const named = narrower.slice(0, NAMED_AT_MOST).map(scopeUrl).join(', ');
  const more = narrower.length > NAMED_AT_MOST ? ` and ${narrower.length - NAMED_AT_MOST} more` : '';
  return `${created} Narrower identities keep their own paths: ${named}${more}.`;
}

/** The message of a removal. */
export function removedMessage(identity: IdentityRecord, keyRemains: boolean): string {
  return keyRemains
    ? `The identity for ${scopeUrl(identity)} is no longer presented, but its key file could not be deleted: the operator should remove it.`
    : `The identity for ${scopeUrl(identity)} and its key were removed.`;
}

/** The message when there was nothing to remove. */
export function nothingMessage(scope: Scope): string {
  return `No identity covers ${scopeUrl(scope)}; nothing was changed.`;
}

function validity(identity: IdentityRecord, nowMs: number): string {
  const end = shownInstant(identity.notAfter);
  return isIdentityExpired(identity, nowMs) ? `expired at ${end}` : `valid until ${end}`;
}
