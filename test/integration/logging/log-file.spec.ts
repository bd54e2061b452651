/** The log on real files and descriptors. */
import { spawnSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { formatProblem } from '../../../src/config/index.js';
import { DescriptorWriter } from '../../../src/logging/io/line-writer.js';
import { openLog } from '../../../src/logging/index.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'gopher-mcp-log-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function open(logFilePath: string, structuredLogging = true) {
  const lines: string[] = [];
  const opened = openLog(
    { logLevel: 'INFO', structuredLogging, logFilePath },
    { stderr: { write: (line) => void lines.push(line) }, nowMs: () => 0 },
  );
  return { opened, lines };
}

describe('the copy in a file', () => {
  test.each([true, false])('has the same lines as stderr, after what was there (structured: %s)', (structured) => {
    const file = path.join(folder, 'log');
    writeFileSync(file, 'before\n');
    const { opened, lines } = open(file, structured);
    if (!opened.ok) throw new Error('opens');
    opened.value.log.info('one', { host: 'bücher.example' });
    opened.value.nest.warn('two');
    expect(readFileSync(file, 'utf8')).toBe(`before\n${lines.join('')}`);
    expect(lines).toHaveLength(2);
    opened.value.close();
  });

  test('ends with close; stderr goes on', () => {
    const file = path.join(folder, 'log');
    const { opened, lines } = open(file);
    if (!opened.ok) throw new Error('opens');
    opened.value.close();
    opened.value.close();
    opened.value.log.info('late');
    expect(readFileSync(file, 'utf8')).toBe('');
    expect(lines).toHaveLength(1);
  });

  test.each([
    ['no/such/log', 'its folder does not exist'],
    ['.', 'it is a folder'],
  ])('that cannot be opened (%s) is a problem like any other', (name, why) => {
    const file = path.join(folder, name);
    const { opened } = open(file);
    expect(opened.ok ? [] : opened.error.map(formatProblem)).toEqual([
      `gopher-mcp: configuration error: GOPHER_MCP_LOG_FILE_PATH: must be a file that can be opened for appending (${why}), got ${JSON.stringify(file)}`,
    ]);
  });
});

describe('a descriptor that fails', () => {
  test('costs the record and is told once, never thrown', () => {
    const descriptor = openSync(path.join(folder, 'read-only'), 'a+');
    closeSync(descriptor);
    const failures: unknown[] = [];
    const writer = new DescriptorWriter(descriptor, (error) => failures.push(error));
    writer.write('one\n');
    writer.write('two\n');
    expect(failures).toEqual([expect.objectContaining({ code: 'EBADF' })]);
  });

  test('is one that nobody reads: records are lost, quickly, and those that arrive are whole', () => {
    const fifo = path.join(folder, 'fifo');
    expect(spawnSync('mkfifo', [fifo]).status).toBe(0);
    // Reader and writer at once: opening neither waits, and a full pipe says so instead of blocking.
    const descriptor = openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK);
    const writer = new DescriptorWriter(descriptor);
    const line = (letter: string): string => `${letter.repeat(9_999)}\n`;
    const startedAt = performance.now();
    for (let i = 0; i < 100; i++) writer.write(line('a'));
    expect(performance.now() - startedAt).toBeLessThan(1000);

    const flooded = drain(descriptor);
    writer.write(line('b'));
    const after = drain(descriptor);
    writer.close();
    expect(flooded.length).toBeLessThan(100 * 10_000);
    expect(`${flooded}${after}`.split('\n').slice(-3)).toEqual([expect.stringMatching(/^a*$/), 'b'.repeat(9_999), '']);
  });
});

function drain(descriptor: number): string {
  const chunk = Buffer.alloc(1 << 20);
  let text = '';
  for (;;) {
    try {
      text += chunk.toString('utf8', 0, readSync(descriptor, chunk));
    } catch {
      return text;
    }
  }
}
