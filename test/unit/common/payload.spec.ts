import { describe, expect, test } from '@jest/globals';
import type { JsonValue } from '../../../src/common/json.js';
import { packInSteps, packMembers } from '../../../src/common/payload.js';
import { finish } from '../../../src/common/steps.js';

const long = Array.from({ length: 1000 }, (_, index) => ({ line: `é"${index}`, next: null }));

describe('members packed in steps are those packed at once', () => {
  test.each<[string, { readonly [member: string]: JsonValue | undefined }]>([
    ['short', { text: 'a', left: undefined, list: [1, 2], nested: { list: [] } }],
    ['with a long list', { before: 1, items: long, after: 'x' }],
    ['with long lists inside a member', { document: { lines: long, links: long, none: [] }, charset: 'utf-8' }],
    ['with a list just over one step', { items: long.slice(0, 257) }],
    ['with undefined beside a long list', { left: undefined, items: long }],
    ['with a long text', { text: 'é"\n'.repeat(100_000), after: 1 }],
    ['with a long text of surrogate pairs', { text: `x${'👍'.repeat(100_000)}`, after: [] }],
    ['with lone surrogates at the ends of steps', { text: `${'x'.repeat(65_535)}\ud800${'x'.repeat(65_535)}\udc00x` }],
    ['with one long text in a short list', { lines: [{ content: 'x'.repeat(70_000) }, 'short', []], empty: [] }],
    ['with a list of lists', { items: long.map((item) => [item]) }],
  ])('%s', (_, rest) => {
    const members = { kind: 'test', ...rest };
    expect(finish(packInSteps(members)).toString()).toBe(packMembers(members).toString());
  });

  test('a long list takes several steps', () => {
    expect([...packInSteps({ kind: 'menu', items: long })]).toHaveLength(4);
  });

  test('so does a long text, wherever it stands', () => {
    const text = 'x'.repeat(1_000_000);
    expect([...packInSteps({ kind: 'text', text })]).toHaveLength(16);
    expect([...packInSteps({ kind: 'gemtext', document: { lines: [{ content: text }] } })]).toHaveLength(16);
  });
});
