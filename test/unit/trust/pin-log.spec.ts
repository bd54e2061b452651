import { expect, test } from '@jest/globals';
import { logPinChanges } from '../../../src/trust/pin-log.js';
import type { PinEvent } from '../../../src/trust/pin-observer.port.js';
import { memoryLog } from '../../support/memory-log.js';

const ONE = 'ab'.repeat(32);
const OTHER = 'cd'.repeat(32);

test.each<[PinEvent, string, string, object]>([
  [{ kind: 'pinned', fingerprint: ONE }, 'info', 'certificate pinned', { fingerprint: 'ab'.repeat(8) }],
  [
    { kind: 'mismatch', pinned: ONE, presented: OTHER },
    'warning',
    'certificate is not the pinned one',
    { pinned: 'ab'.repeat(8), presented: 'cd'.repeat(8) },
  ],
  [{ kind: 'by_hand', action: 'remove' }, 'info', 'pin changed by hand', { action: 'remove' }],
])('%j is one line, with shortened fingerprints', (event, level, text, facts) => {
  const log = memoryLog();
  logPinChanges(log)('example.org', 1965, event);
  expect(log.records).toEqual([{ level, event: text, fields: { host: 'example.org', port: 1965, ...facts } }]);
});
