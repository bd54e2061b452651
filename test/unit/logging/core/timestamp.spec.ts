import { expect, test } from '@jest/globals';
import { logTimestamp } from '../../../../src/logging/core/timestamp.js';

test.each([
  [0, '1970-01-01T00:00:00.000000Z'],
  [1_767_225_599_999, '2025-12-31T23:59:59.999000Z'],
  [1_000.25, '1970-01-01T00:00:01.000250Z'],
  [1_000.9999, '1970-01-01T00:00:01.000999Z'],
])('%d ms is %s', (epochMs, text) => {
  expect(logTimestamp(epochMs)).toBe(text);
});
