import { expect, test } from '@jest/globals';
import { LOCAL_PRINCIPAL } from '../../../src/common/principal.js';
import { measuredTools, type CallOutcome } from '../../../src/bin/measured-tools.js';
import { failure } from '../../../src/common/error-codes.js';
import { payload } from '../../../src/common/payload.js';
import type { BoundTool, Tool, ToolCall, ToolOutcome } from '../../../src/mcp/tool.js';
import { gopherFetch } from '../../../src/mcp/tools/gopher.tools.js';
import { FakeClock } from '../../support/fake-clock.js';

class SomeDomain {
  readonly name = 'some';
}

const CALL: ToolCall = {
  principal: LOCAL_PRINCIPAL,
  signal: new AbortController().signal,
  progress: () => undefined,
  consent: 'unasked',
  fetchContext: { principal: LOCAL_PRINCIPAL },
};
const page = payload({ kind: 'text' });

async function measured(run: BoundTool, clock: FakeClock) {
  const told: [string, CallOutcome, number][] = [];
  const tool: Tool = {
    ...gopherFetch,
    load: () => Promise.resolve({ domain: SomeDomain, bind: () => run }),
  };
  const [wrapped] = measuredTools([tool], clock, (...call) => void told.push(call));
  if (wrapped === undefined) throw new Error('no tool');
  const { domain, bind } = await wrapped.load();
  expect([wrapped.name, wrapped.inputSchema, domain]).toEqual([tool.name, tool.inputSchema, SomeDomain]);
  return { told, call: bind({ get: () => Promise.reject(new Error('none')) as never }) };
}

test.each<[string, Awaited<ReturnType<BoundTool>>, CallOutcome]>([
  ['a page', { kind: 'single', payload: page }, 'ok'],
  ['an error in the result', { kind: 'single', payload: payload({ kind: 'error' }) }, 'error'],
  ['a batch, whatever is in it', { kind: 'batch', payloads: [payload({ kind: 'error' })] }, 'ok'],
  ['a question', { kind: 'question', message: 'sure?' }, 'question'],
  ['arguments that are refused', failure('INVALID_REQUEST', 'no'), 'error'],
])(
  '%s is told with the time it took, and passed on',
  async (_, outcome: ToolOutcome | ReturnType<typeof failure>, as) => {
    const clock = new FakeClock();
    const run: BoundTool = async () => {
      clock.advance(40);
      return outcome;
    };
    const { told, call } = await measured(run, clock);
    expect(await call({}, CALL)).toBe(outcome);
    expect(told).toEqual([[gopherFetch.name, as, 40]]);
  },
);

test('a fault is told and stays one', async () => {
  const { told, call } = await measured(() => Promise.reject(new Error('bug')), new FakeClock());
  await expect(call({}, CALL)).rejects.toThrow('bug');
  expect(told).toEqual([[gopherFetch.name, 'fault', 0]]);
});
