import { describe, expect, test } from '@jest/globals';
import { ResponseReader, type GeminiResponse, type ReadEnd } from '../../../../src/gemini/core/response-reader.js';

interface Read {
  readonly states: readonly string[];
  readonly response?: { status: number; meta: string; body: string; incomplete: GeminiResponse['incomplete'] };
  readonly code?: string;
  readonly message?: string;
}

function read(
  chunks: readonly (string | Buffer)[],
  end: ReadEnd = 'closed',
  maxBytes = 1_000_000,
  wanted = true,
): Read {
  const reader = new ResponseReader({ maxBytes, wantsBody: () => wanted });
  const states = chunks.map((chunk) => reader.push(Buffer.from(chunk)));
  const outcome = reader.finish(end);
  if (outcome === null) return { states };
  if (!outcome.ok) return { states, code: outcome.error.code, message: outcome.error.message };
  const { header, body, incomplete } = outcome.value;
  return { states, response: { ...header, body: body.toString(), incomplete } };
}

function bytewise(text: string | Buffer): Buffer[] {
  return Array.from(Buffer.from(text), (byte) => Buffer.of(byte));
}

function withoutStates({ states: _, ...rest }: Read): Omit<Read, 'states'> {
  return rest;
}

const GOOD: readonly (readonly [name: string, bytes: string, status: number, meta: string, body: string])[] = [
  ['a page', '20 text/gemini\r\n# Hi\r\n', 20, 'text/gemini', '# Hi\r\n'],
  ['an empty field', '20 \r\nbody', 20, '', 'body'],
  ['an empty body', '20 text/plain\r\n', 20, 'text/plain', ''],
  ['two spaces: the second belongs to the field', '20  text/plain\r\nx', 20, ' text/plain', 'x'],
  ['a field beyond ASCII', '51 überall ☃\r\n', 51, 'überall ☃', ''],
  ['a CR within the field', '51 a\rb\r\n', 51, 'a\rb', ''],
  ['the longest field of a success', `20 ${'m'.repeat(1024)}\r\nx`, 20, 'm'.repeat(1024), 'x'],
  ['the longest field of a failure that is not cut', `51 ${'m'.repeat(1024)}\r\n`, 51, 'm'.repeat(1024), ''],
  ['a long field of a failure, cut', `51 ${'m'.repeat(1025)}\r\n`, 51, `${'m'.repeat(1012)} [truncated]`, ''],
  ['a long prompt, cut between characters', `10 ${'é'.repeat(600)}\r\n`, 10, `${'é'.repeat(506)} [truncated]`, ''],
  [
    'a prompt cut where a wide character would be parted',
    `10 a${'é'.repeat(600)}\r\n`,
    10,
    `a${'é'.repeat(505)} [truncated]`,
    '',
  ],
  ['a failure without text', '40\r\n', 40, '', ''],
  ['a certificate request without text', '69\r\n', 69, '', ''],
  ['the longest header', `51 ${'m'.repeat(8187)}\r\n`, 51, `${'m'.repeat(1012)} [truncated]`, ''],
];

const BAD: readonly (readonly [name: string, bytes: string | Buffer, why: string])[] = [
  ['nothing', '', 'without an answer'],
  ['no CRLF', '20 text/plain', 'before the CRLF'],
  ['LF alone', '20 text/gemini\n# Lost\r\nx', 'not ended by CRLF'],
  ['an LF within the field', '51 a\nb\r\nx', 'not ended by CRLF'],
  ['an empty line', '\r\n', 'shorter than two digits'],
  ['one digit', '2\r\n', 'shorter than two digits'],
  ['one digit and a field', '2 text/gemini\r\n', 'but with "2 "'],
  ['three digits', '200 text/plain\r\nx', 'a space is missing'],
  ['no space', '20text/plain\r\nx', 'a space is missing'],
  ['a tab for the space', '20\ttext/plain\r\nx', 'a space is missing'],
  ['letters', 'hi text/plain\r\n', 'but with "hi"'],
  ['a blank in front', ' 20 text/plain\r\n', 'but with " 2"'],
  ['other digits than ASCII', '٢٠ text/plain\r\nx', 'does not begin with two digits'],
  ['a byte order mark', '\ufeff20 text/plain\r\nx', 'does not begin with two digits'],
  ['an escape sequence', '\x1b[20m\r\n', 'does not begin with two digits.'],
  ['a status below 10', '09 x\r\n', '"09" is not defined'],
  ['a status above 69', '70 x\r\n', '"70" is not defined'],
  ['a success without a field', '20\r\nbody', 'field behind the status 20 is missing'],
  ['a redirect without a field', '30\r\n', 'field behind the status 30 is missing'],
  ['a prompt without a field', '10\r\n', 'field behind the status 10 is missing'],
  ['a field that is not UTF-8', Buffer.from('51 caf\xe9\r\n', 'latin1'), 'not UTF-8'],
  ['a long field of a success', `20 ${'m'.repeat(1025)}\r\n`, 'no CRLF in the first 1029 bytes'],
  ['a long field of a redirect', `30 ${'m'.repeat(1025)}\r\n`, 'no CRLF in the first 1029 bytes'],
  ['an endless success', `20 ${'a'.repeat(9000)}`, 'no CRLF in the first 1029 bytes'],
  ['an endless failure', `51 ${'a'.repeat(9000)}`, 'no CRLF in the first 8192 bytes'],
];

describe('responses in form', () => {
  test.each(GOOD)('%s', (_, bytes, status, meta, body) => {
    const expected = { response: { status, meta, body, incomplete: null } };
    expect(withoutStates(read([bytes]))).toEqual(expected);
    expect(withoutStates(read(bytewise(bytes)))).toEqual(expected);
  });

  test('outside 2x the header ends the response, and what follows is not looked at', () => {
    expect(read(['51 gone\r\n']).states).toEqual(['done']);
    expect(read(['30 /x\r\nstray', ' body'])).toEqual({
      states: ['done', 'done'],
      response: { status: 30, meta: '/x', body: '', incomplete: null },
    });
  });

  test('a body that is not wanted is not read', () => {
    expect(read(['20 image/png\r\nabc'], 'closed', 100, false)).toEqual({
      states: ['done'],
      response: { status: 20, meta: 'image/png', body: '', incomplete: null },
    });
  });
});

describe('malformed responses', () => {
  test.each(BAD)('%s', (_, bytes, why) => {
    const whole = read([bytes]);
    expect(whole).toMatchObject({ code: 'PROTOCOL_ERROR', message: expect.stringContaining(why) });
    expect(withoutStates(read(bytewise(bytes)))).toEqual(withoutStates(whole));
  });

  test.each([
    ['a wrong start', ['hel'], 3],
    ['an endless success', bytewise(`20 ${'a'.repeat(1100)}`), 1029],
    ['an endless failure', bytewise(`51 ${'a'.repeat(9000)}`), 8192],
  ])('%s is given up at once', (_, chunks, after) => {
    const { states } = read(chunks);
    const bytes = Buffer.concat(chunks.slice(0, states.indexOf('done') + 1).map((chunk) => Buffer.from(chunk)));
    expect(bytes).toHaveLength(after);
  });
});

describe('how a body ends', () => {
  const HEAD = '20 a/b\r\n';

  test.each<[ReadEnd, GeminiResponse['incomplete']]>([
    ['closed', null],
    ['cut', 'no_close_notify'],
    ['expired', 'timeout'],
  ])('%s', (end, incomplete) => {
    expect(read([HEAD, 'body'], end).response).toMatchObject({ body: 'body', incomplete });
  });

  test('time that is spent before the first byte of the body gives nothing', () => {
    expect(read([HEAD], 'expired')).toEqual({ states: ['more'] });
    expect(read(['20 a'], 'expired')).toEqual({ states: ['more'] });
    expect(read([], 'expired')).toEqual({ states: [] });
  });

  test('a response that was over is whole, whatever came next', () => {
    expect(read(['51 x\r\n'], 'expired').response).toMatchObject({ status: 51, incomplete: null });
    expect(read(['51 x\r\n'], 'cut').response).toMatchObject({ status: 51, incomplete: null });
  });

  test.each<[string, string[], ReadEnd, string, GeminiResponse['incomplete']]>([
    ['exactly the limit, then the end', ['more', 'full'], 'closed', 'abcde', null],
    ['exactly the limit, then a bare end', ['more', 'full'], 'cut', 'abcde', 'no_close_notify'],
    ['exactly the limit, then silence', ['more', 'full'], 'overlong', 'abcde', 'size_cap'],
    ['exactly the limit, then no time', ['more', 'full'], 'expired', 'abcde', 'size_cap'],
  ])('%s', (_, states, end, body, incomplete) => {
    expect(read([HEAD, 'abcde'], end, HEAD.length + 5)).toEqual({
      states,
      response: { status: 20, meta: 'a/b', body, incomplete },
    });
  });

  test('one byte over the limit ends the reading; the limit counts the header', () => {
    expect(read([HEAD, 'abc', 'def'], 'closed', HEAD.length + 5)).toEqual({
      states: ['more', 'more', 'done'],
      response: { status: 20, meta: 'a/b', body: 'abcde', incomplete: 'size_cap' },
    });
    expect(read([`${HEAD}abcdef`], 'closed', HEAD.length + 5).response?.body).toBe('abcde');
  });

  test('a header longer than the limit leaves no room for a body', () => {
    expect(read([HEAD, 'x'], 'closed', 3).response).toMatchObject({ body: '', incomplete: 'size_cap' });
    expect(read([HEAD], 'closed', 3).response).toMatchObject({ body: '', incomplete: null });
  });
});
