import { describe, expect, test } from '@jest/globals';
import { parseTraceContext } from '../../../src/common/trace-context.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const VALID = `00-${TRACE}-${PARENT}-01`;

describe('traceparent', () => {
  test('is read into its parts', () => {
    expect(parseTraceContext(VALID)).toEqual({ traceId: TRACE, parentId: PARENT, sampled: true, state: null });
  });

  test.each([
    ['00', false],
    ['01', true],
    ['fe', false],
    ['ff', true],
  ])('flags %s: sampled is %s', (flags, sampled) => {
    expect(parseTraceContext(`00-${TRACE}-${PARENT}-${flags}`)).toMatchObject({ sampled });
  });

  test('a later version is read as far as it is known, whatever it adds', () => {
    expect(parseTraceContext(`01-${TRACE}-${PARENT}-01`)).toMatchObject({ traceId: TRACE });
    expect(parseTraceContext(`cc-${TRACE}-${PARENT}-01-what.the.future`)).toMatchObject({ traceId: TRACE });
  });

  test.each([
    ['nothing', undefined],
    ['a list of headers', [VALID, VALID]],
    ['an empty text', ''],
    ['version ff', `ff-${TRACE}-${PARENT}-01`],
    ['an addition to version 00', `${VALID}-extra`],
    ['text after a later version without a dash', `01-${TRACE}-${PARENT}-01x`],
    ['upper case', VALID.toUpperCase()],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${PARENT}-01`],
    ['a parent id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['a short trace id', `00-${TRACE.slice(1)}-${PARENT}-01`],
    ['a long parent id', `00-${TRACE}-${PARENT}0-01`],
    ['no flags', `00-${TRACE}-${PARENT}`],
    ['a blank in front', ` ${VALID}`],
    ['a line break behind', `${VALID}\n`],
    ['an endless addition', `01-${TRACE}-${PARENT}-01-${'x'.repeat(600)}`],
  ])('%s is no traceparent', (_name, value) => {
    expect(parseTraceContext(value)).toBeUndefined();
  });
});

describe('tracestate', () => {
  test.each([
    ['is kept verbatim', 'congo=t61rcWkgMzE,rojo=00f067aa0ba902b7', 'congo=t61rcWkgMzE,rojo=00f067aa0ba902b7'],
    ['is null when empty', '', null],
    ['is null when it is no text', ['a=1'], null],
    ['is dropped when too long, and the trace goes on', 'x'.repeat(513), null],
  ])('%s', (_name, given, state) => {
    expect(parseTraceContext(VALID, given)).toMatchObject({ traceId: TRACE, state });
  });

  test('means nothing without a traceparent', () => {
    expect(parseTraceContext(undefined, 'a=1')).toBeUndefined();
  });
});
