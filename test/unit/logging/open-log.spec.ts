import { describe, expect, test } from '@jest/globals';
import { openLog, type OpenedLog } from '../../../src/logging/index.js';
import type { LogThreshold } from '../../../src/config/index.js';

interface Captured extends OpenedLog {
  readonly lines: string[];
  records(): unknown[];
}

function open(logLevel: LogThreshold = 'DEBUG', structuredLogging = true): Captured {
  const lines: string[] = [];
  const opened = openLog(
    { logLevel, structuredLogging, logFilePath: null },
    { stderr: { write: (line) => void lines.push(line) }, nowMs: () => 0 },
  );
  if (!opened.ok) throw new Error('no file, nothing to fail');
  return { ...opened.value, lines, records: () => lines.map((line) => JSON.parse(line)) };
}

const AT = { timestamp: '1970-01-01T00:00:00.000000Z' };

describe('records', () => {
  test.each(['debug', 'info', 'warning', 'error', 'critical'] as const)('of level %s carry its name', (level) => {
    const { log, records } = open();
    log[level]('it happened', { host: 'a.example', count: 2, list: ['x'], none: null, left_out: undefined });
    expect(records()).toEqual([
      { ...AT, level, event: 'it happened', host: 'a.example', count: 2, list: ['x'], none: null },
    ]);
  });

  test('are one line each, whatever they hold', () => {
    const { log, lines } = open();
    log.info('two\nlines', { text: 'a\r\nb\u2028c' });
    expect(lines).toHaveLength(1);
    expect(lines[0]?.trimEnd().split(/\r|\n/)).toHaveLength(1);
    expect(lines[0]?.endsWith('\n')).toBe(true);
  });

  test('carry errors as text, with their causes', () => {
    const { log, records } = open();
    log.error('failed', { exception: new Error('outer', { cause: new Error('inner', { cause: 'a reason' }) }) });
    const [{ exception }] = records() as [{ exception: string }];
    expect(exception).toMatch(/^Error: outer\n {4}at [^]*\nCaused by: Error: inner\n {4}at [^]*\nCaused by: a reason$/);
  });

  test('carry an error as text that is not native, as the reason of an aborted signal is not', () => {
    const { log, records } = open();
    const reason: Error = Object.assign(Object.create(Error.prototype), { stack: 'AbortError: gone' });
    log.info('stopped', { exception: reason });
    expect(records()).toEqual([expect.objectContaining({ exception: expect.stringMatching(/^AbortError: gone$/) })]);
  });

  test('take percent signs for what they are', () => {
    const { log, nest, records } = open();
    log.info('100%% of %s');
    nest.warn('%d%%');
    expect(records()).toMatchObject([{ event: '100%% of %s' }, { event: '%d%%' }]);
  });

  test('a ring of causes ends', () => {
    const { log, records } = open();
    const error = new Error('ring');
    error.cause = error;
    log.error('failed', { exception: error });
    const [{ exception }] = records() as [{ exception: string }];
    expect(exception.match(/Caused by/g)).toHaveLength(5);
  });

  test('that were logged through pino itself look the same', () => {
    const { pino, records } = open();
    pino.warn({ logger: 'library', err: new Error('e') }, 'from outside');
    pino.error(new Error('thrown'));
    expect(records()).toEqual([
      { ...AT, level: 'warning', event: 'from outside', logger: 'library', err: expect.stringMatching(/^Error: e\n/) },
      { ...AT, level: 'error', event: 'thrown', exception: expect.stringMatching(/^Error: thrown\n/) },
    ]);
  });

  test('are plain lines when structured logging is off', () => {
    const { log, pino, lines } = open('INFO', false);
    log.warning('open door', { host: '0.0.0.0', remedy: 'close it' });
    pino.info('from outside');
    expect(lines).toEqual([
      '1970-01-01T00:00:00.000000Z warning  open door  host=0.0.0.0 remedy="close it"\n',
      '1970-01-01T00:00:00.000000Z info     from outside\n',
    ]);
  });
});

describe('the threshold', () => {
  const LEVELS = ['debug', 'info', 'warning', 'error', 'critical'] as const;

  test.each(['DEBUG', 'INFO', 'WARNING', 'ERROR', 'CRITICAL'] as const)(
    '%s lets through itself and above',
    (threshold) => {
      const { log, records } = open(threshold);
      for (const level of LEVELS) log[level]('e');
      const expected = LEVELS.slice(LEVELS.findIndex((level) => level.toUpperCase() === threshold));
      expect(records().map((record) => (record as { level: string }).level)).toEqual(expected);
      expect(LEVELS.filter((level) => log.isEnabled(level))).toEqual(expected);
    },
  );

  test('holds for pino and Nest as well', () => {
    const { nest, pino, lines } = open('ERROR');
    pino.warn('w');
    nest.warn('w');
    expect(lines).toEqual([]);
  });
});

describe("Nest's records", () => {
  test.each([
    ['log', ['Starting', 'NestFactory'], { level: 'debug', event: 'Starting', logger: 'NestFactory' }],
    ['debug', ['d'], { level: 'debug', event: 'd' }],
    ['verbose', ['v', 'C'], { level: 'debug', event: 'v', logger: 'C' }],
    ['warn', ['w', 'C'], { level: 'warning', event: 'w', logger: 'C' }],
    [
      'error',
      ['e', 'Error: x\n  at y', 'C'],
      { level: 'error', event: 'e', logger: 'C', exception: 'Error: x\n  at y' },
    ],
    ['fatal', [{ a: 1 }, 'C'], { level: 'critical', event: '{ a: 1 }', logger: 'C' }],
  ] as const)('%s%j', (method, [message, ...rest], expected) => {
    const { nest, records } = open();
    nest[method]?.(message, ...rest);
    expect(records()).toEqual([{ ...AT, ...expected }]);
  });

  test('an error in place of a message gives event and exception', () => {
    const { nest, records } = open();
    nest.error(new Error('broken'), 'C');
    expect(records()).toEqual([
      { ...AT, level: 'error', event: 'broken', logger: 'C', exception: expect.stringMatching(/^Error: broken\n/) },
    ]);
  });
});
