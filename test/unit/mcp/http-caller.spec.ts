import { describe, expect, test } from '@jest/globals';
import { CallerMemory } from '../../../src/mcp/caller.js';
import { LOCAL_PRINCIPAL } from '../../../src/common/principal.js';
import { callerOf } from '../../../src/mcp/transports/http/http-caller.js';

const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

describe('the caller of an HTTP request', () => {
  test('is nobody in particular without headers', () => {
    expect(callerOf({ principal: LOCAL_PRINCIPAL, address: '127.0.0.1', headers: {} }, undefined)).toEqual({
      principal: LOCAL_PRINCIPAL,
      address: '127.0.0.1',
      memory: undefined,
      narrowing: undefined,
      trace: undefined,
    });
  });

  test('keeps the memory of its session', () => {
    const memory = new CallerMemory({});
    expect(callerOf({ principal: LOCAL_PRINCIPAL, address: '127.0.0.1', headers: {} }, memory).memory).toBe(memory);
  });

  test.each([
    [{ 'gophermcp-tools': ' a, b ,c' }, { tools: ['a', 'b', 'c'], readOnly: false }],
    [{ 'gophermcp-tools': ['a', 'b'] }, { tools: ['a', 'b'], readOnly: false }],
    [{ 'gophermcp-tools': '' }, { tools: [''], readOnly: false }],
    [{ 'gophermcp-read-only': 'true' }, { tools: null, readOnly: true }],
    [{ 'gophermcp-read-only': '' }, { tools: null, readOnly: true }],
    [{ 'gophermcp-read-only': 'maybe' }, { tools: null, readOnly: true }],
    [{ 'gophermcp-read-only': 'false, true' }, { tools: null, readOnly: true }],
    [{ 'gophermcp-read-only': ' NO ' }, { tools: null, readOnly: false }],
    [
      { 'gophermcp-tools': 'a', 'gophermcp-read-only': 'off' },
      { tools: ['a'], readOnly: false },
    ],
  ])('%j narrows to %j', (headers, narrowing) => {
    expect(callerOf({ principal: LOCAL_PRINCIPAL, address: '127.0.0.1', headers }, undefined).narrowing).toEqual(
      narrowing,
    );
  });

  test.each([
    [
      { traceparent: TRACEPARENT, tracestate: 'a=1' },
      { sampled: true, state: 'a=1' },
    ],
    [{ traceparent: `${TRACEPARENT}, ${TRACEPARENT}` }, undefined],
    [{ tracestate: 'a=1' }, undefined],
  ])('%j belongs to %j', (headers, trace) => {
    const found = callerOf({ principal: LOCAL_PRINCIPAL, address: '127.0.0.1', headers }, undefined).trace;
    if (trace === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(trace);
  });
});
