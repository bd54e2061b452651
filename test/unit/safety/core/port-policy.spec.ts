import { describe, expect, test } from '@jest/globals';
import { DANGEROUS_PORTS } from '../../../../src/common/net/dangerous-ports.js';
import { checkPort } from '../../../../src/safety/core/port-policy.js';

const anyPort = { allowedPorts: null, variablePrefix: 'GOPHER_' };

describe('without a list of ports', () => {
  test.each([70, 1965, 80, 1, 65535, 24, 7070])('port %i is open', (port) => {
    expect(checkPort('example.org', port, anyPort)).toBeNull();
  });

  test.each([22, 23, 25, 110, 143, 445, 465, 587, 993, 995, 1433, 3306, 3389, 5432, 5900, 6379, 9200, 11211, 27017])(
    'port %i is closed',
    (port) => {
      expect(checkPort('example.org', port, anyPort)).toMatchObject({ code: 'BLOCKED', facts: { reason: 'port' } });
    },
  );

  test('there are no dangerous ports but those of the contract', () => {
    expect(DANGEROUS_PORTS.size).toBe(19);
  });
});

describe('with a list of ports', () => {
  const listed = { allowedPorts: new Set([70, 25]), variablePrefix: 'GOPHER_' };

  test('a listed port is open', () => {
    expect(checkPort('example.org', 70, listed)).toBeNull();
  });

  test('any other port is closed, and the message names host, port and variable', () => {
    const refusal = checkPort('example.org', 7071, listed);
    expect(refusal).toMatchObject({ code: 'BLOCKED', facts: { reason: 'port' } });
    for (const part of ['example.org', '7071', 'GOPHER_ALLOWED_PORTS']) expect(refusal?.message).toContain(part);
  });

  test('a dangerous port stays closed when listed, and the message says what lives there', () => {
    const refusal = checkPort('example.org', 25, listed);
    expect(refusal).toMatchObject({ code: 'BLOCKED', facts: { reason: 'port' } });
    expect(refusal?.message).toContain('SMTP');
  });

  test('an empty list closes everything', () => {
    expect(checkPort('example.org', 70, { ...listed, allowedPorts: new Set() })?.code).toBe('BLOCKED');
  });
});
