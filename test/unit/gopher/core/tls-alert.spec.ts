import { describe, expect, test } from '@jest/globals';
import { decodeBody } from '../../../../src/gopher/core/document.js';
import { isTlsAlert } from '../../../../src/gopher/core/tls-alert.js';

describe('a TLS alert', () => {
  test.each([
    ['unexpected_message of TLS 1.0', [21, 3, 1, 0, 2, 2, 10]],
    ['decode_error of TLS 1.2', [21, 3, 3, 0, 2, 2, 50]],
    ['close_notify', [21, 3, 3, 0, 2, 1, 0]],
    ['an alert in the oldest framing', [21, 3, 0, 0, 2, 2, 40]],
  ])('%s is one', (_, bytes) => {
    expect(isTlsAlert(Buffer.from(bytes))).toBe(true);
  });

  test.each([
    ['nothing', []],
    ['half of it', [21, 3, 3, 0, 2]],
    ['something behind it', [21, 3, 3, 0, 2, 2, 50, 10]],
    ['another record', [22, 3, 3, 0, 2, 2, 50]],
    ['another version', [21, 2, 3, 0, 2, 2, 50]],
    ['another length', [21, 3, 3, 0, 3, 2, 50]],
    ['no level of an alert', [21, 3, 3, 0, 2, 3, 50]],
    ['seven letters', [...Buffer.from('gopher!')]],
  ])('%s is none', (_, bytes) => {
    expect(isTlsAlert(Buffer.from(bytes))).toBe(false);
  });

  test.each(['0', '1', '7', '9', 'h'])(
    'in place of an item of type %s is a failure that points to the port',
    (type) => {
      expect(decodeBody(type, Buffer.from([21, 3, 3, 0, 2, 2, 50]), false, 'h.example')).toMatchObject({
        ok: false,
        error: {
          code: 'FETCH_ERROR',
          message: 'h.example speaks TLS at this port, not Gopher.',
          facts: { reason: 'malformed', next_step: expect.stringContaining('port') },
        },
      });
    },
  );
});
