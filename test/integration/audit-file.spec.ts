/** The audit file on a disk: who may read it, how it goes on after a restart, and what moving it away does. */
import { appendFile, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { HashChain, LineHash, openAuditFile, readHead, type AuditSink } from '../../src/audit/index.js';
import { CHAIN_START, type ChainLink } from '../../src/audit/core/chain.js';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';

let folder: TemporaryFolder;
let file: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  file = path.join(folder.path, 'audit.jsonl');
});

afterEach(async () => {
  for (const sink of left.splice(0)) await sink.close().catch(() => undefined);
  await folder.remove();
});

/** Sinks that a test may have left open. */
const left: AuditSink[] = [];

async function open(): Promise<{ sink: AuditSink; last: ChainLink; isCut: boolean }> {
  const opened = await openAuditFile(file);
  if (!opened.ok) throw new Error(opened.error);
  left.push(opened.value.sink);
  return opened.value;
}

/** Appends sealed lines and notes the last, as the audit does. */
async function run(count: number): Promise<{ isCut: boolean }> {
  const { sink, last, isCut } = await open();
  const chain = new HashChain(new LineHash(null), last);
  for (let i = 0; i < count; i++) await sink.append(Buffer.from(`${chain.seal('{"event":"call"}')}\n`));
  if (count > 0) await sink.note(chain.last);
  await sink.close();
  return { isCut };
}

const lines = async (name = file): Promise<number[]> =>
  (await readFile(name, 'utf8'))
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => (JSON.parse(line) as { seq: number }).seq);

describe('a new audit file', () => {
  test('is for its owner alone, and begins a chain', async () => {
    expect((await open()).last).toEqual(CHAIN_START);
    await run(1);
    if (process.platform !== 'win32') {
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect((await stat(`${file}.head`)).mode & 0o777).toBe(0o600);
    }
  });

  test.each([
    ['whose folder does not exist', () => path.join(folder.path, 'none', 'a'), 'ENOENT'],
    ['that is a folder', () => folder.path, 'EISDIR'],
  ])('%s is refused', async (_what, place, code) => {
    expect(await openAuditFile(place())).toEqual({ ok: false, error: code });
  });
});

describe('the chain goes on', () => {
  test('after a restart', async () => {
    await run(2);
    await run(2);
    expect(await lines()).toEqual([1, 2, 3, 4]);
  });

  test('when the file was moved away while nobody wrote', async () => {
    await run(2);
    await rename(file, `${file}.1`);
    expect(await run(2)).toEqual({ isCut: false });
    expect(await lines()).toEqual([3, 4]);
  });

  test('after a crash between the line and the note', async () => {
    await run(2);
    const before = await readFile(`${file}.head`);
    await run(1);
    await writeFile(`${file}.head`, before);
    expect((await open()).last.seq).toBe(3);
  });

  test('after a crash in the middle of a line, which stays as it is', async () => {
    await run(2);
    await appendFile(file, '{"event":"ca');
    await run(1);
    expect(await lines()).toEqual([1, 2, 3]);
    expect(await readFile(file, 'utf8')).toContain('{"event":"ca\n{');
  });

  test('but a file whose end is missing is noticed', async () => {
    await run(3);
    const text = await readFile(file, 'utf8');
    await truncate(file, text.indexOf('\n') + 1);
    expect(await run(1)).toEqual({ isCut: true });
    expect(await lines()).toEqual([1, 4]);
  });
});

describe('a file that is moved away while it is written', () => {
  test.each([
    ['renamed', () => rename(file, `${file}.1`)],
    ['deleted', () => rm(file)],
    ['replaced', () => rename(file, `${file}.1`).then(() => writeFile(file, ''))],
  ])('and %s is opened anew at the next line', async (_how, move) => {
    const { sink } = await open();
    await sink.append(Buffer.from('one\n'));
    await move();
    await sink.append(Buffer.from('two\n'));
    await sink.append(Buffer.from('three\n'));
    await sink.close();
    expect(await readFile(file, 'utf8')).toBe('two\nthree\n');
  });

  test('and cut to nothing in its place goes on at its beginning', async () => {
    const { sink } = await open();
    await sink.append(Buffer.from('one\n'));
    await truncate(file, 0);
    await sink.append(Buffer.from('two\n'));
    await sink.close();
    expect(await readFile(file, 'utf8')).toBe('two\n');
  });

  test('and whose folder is gone is an error, until there is one again', async () => {
    const { sink } = await open();
    await rename(folder.path, `${folder.path}-moved`);
    await expect(sink.append(Buffer.from('one\n'))).rejects.toMatchObject({ code: 'ENOENT' });
    await rename(`${folder.path}-moved`, folder.path);
    expect(await sink.append(Buffer.from('one\n'))).toBe(4);
    await sink.close();
  });
});

test('a note that cannot be understood is none', async () => {
  await writeFile(`${file}.head`, 'nonsense');
  expect(await readHead(file)).toBeNull();
});
