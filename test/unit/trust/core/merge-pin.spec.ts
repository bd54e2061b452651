import { expect, test } from '@jest/globals';
import { mergePin } from '../../../../src/trust/core/merge-pin.js';
import type { PinRecord } from '../../../../src/trust/core/pin-record.js';

const PIN: PinRecord = {
  fingerprint: 'aa'.repeat(32),
  firstSeenSeconds: 100,
  lastSeenSeconds: 200,
  expiresSeconds: null,
  spki: null,
  extra: { note: 'ours' },
};
const OTHER = { ...PIN, fingerprint: 'bb'.repeat(32) };

test.each([
  ['where there is none, the pin comes in', null, PIN, false, { write: PIN, outcome: 'added' }],
  ['a different pin stays', OTHER, PIN, false, { write: null, outcome: 'differs' }],
  ['a different pin gives way where it may', OTHER, PIN, true, { write: PIN, outcome: 'replaced' }],
  ['the same pin changes nothing', PIN, { ...PIN }, true, { write: null, outcome: 'unchanged' }],
  [
    'what is known already stays, whatever the other one says',
    { ...PIN, expiresSeconds: 5, spki: 'cc' },
    { ...PIN, firstSeenSeconds: 150, lastSeenSeconds: 150, expiresSeconds: 6, spki: 'dd', extra: { note: 'theirs' } },
    false,
    { write: null, outcome: 'unchanged' },
  ],
  [
    'gaps are filled, the span widens, and unknown members of both are kept',
    PIN,
    { ...PIN, firstSeenSeconds: 50, lastSeenSeconds: 300, expiresSeconds: 6, spki: 'dd', extra: { more: [1] } },
    false,
    {
      write: {
        ...PIN,
        firstSeenSeconds: 50,
        lastSeenSeconds: 300,
        expiresSeconds: 6,
        spki: 'dd',
        extra: { note: 'ours', more: [1] },
      },
      outcome: 'merged',
    },
  ],
])('%s', (_, current, other, mayReplace, merge) => {
  expect(mergePin(current, other, mayReplace)).toEqual(merge);
});
