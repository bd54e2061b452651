import { describe, expect, test } from '@jest/globals';
import { LOCAL_PRINCIPAL } from '../../../src/common/principal.js';
import { Deadline } from '../../../src/common/deadline.js';
import { GopherProtocol, type GopherRequest } from '../../../src/gopher/index.js';
import { FakeClock } from '../../support/fake-clock.js';
import { FakeDialer, type ScriptedAnswer } from './fake-dialer.js';

const CONTEXT = {
  principal: LOCAL_PRINCIPAL,
  addresses: [{ address: '192.0.2.1', family: 4 as const }],
  deadline: new Deadline(new FakeClock(), 30_000),
};

function protocolWith(answer?: ScriptedAnswer, maxResponseBytes = 1_000_000): [GopherProtocol, FakeDialer] {
  const dialer = new FakeDialer(() => answer);
  return [new GopherProtocol(dialer, { maxResponseBytes, maxSelectorLength: 1024, maxSearchLength: 256 }), dialer];
}

function requestOf(protocol: GopherProtocol, url: string, answer: string | null = null): GopherRequest {
  const parsed = protocol.parse({ url, answer, refresh: false, offset: 0, format: 'full' });
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value;
}

function answer(text: string, close: ScriptedAnswer['close'] = 'normal'): ScriptedAnswer {
  return { body: Buffer.from(text), close };
}

describe('refusals without network', () => {
  const [protocol] = protocolWith();

  test.each(['2', '8', 'T'])('type %s is for another client, which is told where', (type) => {
    const refusal = protocol.refuse(requestOf(protocol, `gopher://h.example:7070/${type}/x`));
    expect(refusal).toMatchObject({ code: 'NOT_FETCHABLE', message: expect.stringContaining('h.example:7070') });
    expect(refusal?.facts.next_step).toContain('h.example:7070');
  });

  test('the place is written as clients take it', () => {
    expect(protocol.refuse(requestOf(protocol, 'gopher://[::1]:23/8'))?.message).toContain('[::1]:23');
  });

  test.each(['0', '1', '7', '9', '3', 'Z'])('type %s can be fetched', (type) => {
    expect(protocol.refuse(requestOf(protocol, `gopher://h/${type}/x`))).toBeNull();
  });
});

describe('exchange', () => {
  test.each([
    ['1', 'menu'],
    ['7', 'menu'],
    ['0', 'text'],
    ['9', 'binary'],
  ])('an answer of type %s is read as %s, up to the cap', async (type, framing) => {
    const [protocol, dialer] = protocolWith(answer(''), 2048);
    await protocol.exchange(requestOf(protocol, `gopher://h:7070/${type}/x`), CONTEXT);
    expect(dialer.dials).toEqual([
      {
        host: 'h',
        port: 7070,
        request: Buffer.from('/x\r\n'),
        framing,
        maxBytes: 2048,
        addresses: CONTEXT.addresses,
        deadline: CONTEXT.deadline,
      },
    ]);
  });

  test('a body that ended early is a document with the reason', async () => {
    const [protocol] = protocolWith(answer('partial', 'open'));
    expect(await protocol.exchange(requestOf(protocol, 'gopher://h/0/x'), CONTEXT)).toMatchObject({
      kind: 'document',
      document: { kind: 'text', text: 'partial' },
      incomplete: 'timeout',
      connection: {},
    });
  });

  test('a failure to connect and an error line are failures', async () => {
    const [unreachable] = protocolWith();
    expect(await unreachable.exchange(requestOf(unreachable, 'gopher://h/0/x'), CONTEXT)).toMatchObject({
      kind: 'failure',
      failure: { code: 'FETCH_ERROR', facts: { reason: 'refused' } },
    });
    const [missing] = protocolWith(answer('3Not here\t\terror.host\t1\r\n.\r\n'));
    expect(await missing.exchange(requestOf(missing, 'gopher://h/0/x'), CONTEXT)).toMatchObject({
      kind: 'failure',
      failure: { code: 'GOPHER_ERROR', facts: { meta: 'Not here' } },
    });
  });
});

describe('robots probe', () => {
  test('asks for /robots.txt, at most 512,000 bytes of it', async () => {
    const [protocol, dialer] = protocolWith(answer('User-agent: *\nDisallow: /x\n'));
    const request = requestOf(protocol, 'gopher://h/7/f', 'terms');
    expect(await protocol.probeRobots(request, CONTEXT)).toEqual({
      kind: 'policy',
      text: 'User-agent: *\nDisallow: /x\n',
    });
    expect(dialer.dials).toMatchObject([
      { request: Buffer.from('/robots.txt\r\n'), framing: 'text', maxBytes: 512_000 },
    ]);
  });

  test('a smaller cap on answers holds for it too', async () => {
    const [protocol, dialer] = protocolWith(answer('User-agent: *\nDisallow: /x\n'), 20);
    expect(await protocol.probeRobots(requestOf(protocol, 'gopher://h'), CONTEXT)).toEqual({
      kind: 'policy',
      text: 'User-agent: *\n',
    });
    expect(dialer.dials).toMatchObject([{ maxBytes: 20 }]);
  });

  test('a server that stalls counts as far as it came', async () => {
    const [protocol] = protocolWith(answer('User-agent: *\nDisallow: /\nDisall', 'open'));
    expect(await protocol.probeRobots(requestOf(protocol, 'gopher://h'), CONTEXT)).toEqual({
      kind: 'policy',
      text: 'User-agent: *\nDisallow: /\n',
    });
  });

  test.each([
    ['an error menu', answer('3Not found\t\terror.host\t1\r\n.\r\n'), { kind: 'absent' }],
    ['silence', answer('', 'late'), { kind: 'unavailable', cause: 'timed out' }],
    ['a closed port', undefined, { kind: 'unavailable', cause: 'refused or unreachable' }],
    ['a reset', answer('User-agent: *\n', 'reset'), { kind: 'unavailable', cause: 'connection failed' }],
  ])('%s', async (_, scripted, outcome) => {
    const [protocol] = protocolWith(scripted);
    expect(await protocol.probeRobots(requestOf(protocol, 'gopher://h'), CONTEXT)).toEqual(outcome);
  });
});

describe('echo', () => {
  const [protocol] = protocolWith();

  test('names what was asked, and a search only when it was ignored', () => {
    expect(protocol.describe(requestOf(protocol, 'GOPHER://h:7070/1/dir%09x#f'))).toEqual({
      url: 'gopher://h:7070/1/dir%09x#f',
      host: 'h',
      port: 7070,
      type: '1',
      selector: '/dir',
      search_ignored: true,
    });
    expect(protocol.describe(requestOf(protocol, 'gopher://h/7/f?x'))).not.toHaveProperty('search_ignored');
  });

  test('a refused URL shows neither query nor userinfo', () => {
    expect(protocol.describeRefused('gopher://user:pw@h:0/7/f?secret')).toEqual({ url: 'gopher://h:0/7/f' });
  });
});

test('answers do not depend on who asks', async () => {
  const [protocol] = protocolWith();
  expect(await protocol.variant()).toBe('');
});
