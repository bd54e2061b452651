/** Output schemas of the tools for certificate pins and client identities. */
import { boolean, errorKind, flag, nullableText, object, oneResult, ref, result, text } from './schema-builders.js';

const port = { type: 'integer', minimum: 1, maximum: 65535 } as const;

/** Output schema of the list of pins. */
export const trustList = oneResult(
  {
    trust_list: {
      definition: 'TOFUTrustListResult',
      schema: result('trust_list', { entries: { type: 'array', items: ref('TOFUTrustEntry') } }, ['entries']),
    },
    error: errorKind,
  },
  {
    TOFUTrustEntry: object(
      {
        host: text,
        port: { type: 'integer', default: 1965 },
        fingerprint: text,
        first_seen: text,
        last_seen: text,
        expires: nullableText,
        expired: flag,
      },
      ['host', 'fingerprint', 'first_seen', 'last_seen'],
    ),
  },
);

/** Output schema of a change to a pin. */
export const trustUpdate = oneResult({
  trust_update: {
    definition: 'TOFUTrustUpdateResult',
    schema: result(
      'trust_update',
      { action: { type: 'string', enum: ['remove', 'pin'] }, host: text, port, changed: boolean, message: text },
      ['action', 'host', 'port', 'changed', 'message'],
    ),
  },
  error: errorKind,
});

/** Output schema of the list of client identities. */
export const identityList = oneResult(
  {
    client_cert_list: {
      definition: 'GeminiClientCertListResult',
      schema: result('client_cert_list', { entries: { type: 'array', items: ref('GeminiClientCertificateEntry') } }, [
        'entries',
      ]),
    },
    error: errorKind,
  },
  {
    GeminiClientCertificateEntry: object(
      {
        url: text,
        host: text,
        port: { type: 'integer', default: 1965 },
        path: { type: 'string', default: '/' },
        fingerprint: text,
        not_before: text,
        not_after: text,
        expired: boolean,
        usable: boolean,
      },
      ['url', 'host', 'fingerprint', 'not_before', 'not_after', 'expired'],
    ),
  },
);

/** Output schema of a change to a client identity. */
export const identityUpdate = oneResult({
  client_cert_update: {
    definition: 'GeminiClientCertUpdateResult',
    schema: result(
      'client_cert_update',
      {
        action: { type: 'string', enum: ['create', 'remove'] },
        host: text,
        port,
        path: text,
        fingerprint: nullableText,
        expires: nullableText,
        changed: boolean,
        message: text,
      },
      ['action', 'host', 'port', 'path', 'changed', 'message'],
    ),
  },
  error: errorKind,
});
