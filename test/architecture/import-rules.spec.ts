/**
 * The import rules hold in src/, and the checker can see: it reads every file, and each rule catches a violation planted for it.
 * (A checker that reads no module reports no violation.)
 */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';

interface Verdict {
  readonly modules: readonly string[];
  /** "file: rule", sorted. */
  readonly violations: readonly string[];
}

const root = path.resolve(import.meta.dirname, '../..');
const planted = path.join(import.meta.dirname, 'fixtures');
const config = path.join(root, '.dependency-cruiser.cjs');

function listSources(folder: string): string[] {
  return readdirSync(path.join(folder, 'src'), { recursive: true, encoding: 'utf8' })
    .map((name) => `src/${name.replaceAll('\\', '/')}`)
    .filter((name) => /\.c?ts$/.test(name))
    .sort();
}

async function cruise(folder: string): Promise<Verdict> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
      ...['--config', config, '--ts-config', path.join(root, 'tsconfig.json'), '--output-type', 'json', 'src'],
    ],
    { cwd: folder, maxBuffer: 64 * 1024 * 1024 },
  );
  const { modules, summary } = JSON.parse(stdout);
  return {
    modules: modules
      .map((module: { source: string }) => module.source)
      .filter((source: string) => source.startsWith('src/'))
      .sort(),
    violations: summary.violations
      .map((violation: { from: string; rule: { name: string } }) => `${violation.from}: ${violation.rule.name}`)
      .sort(),
  };
}

function listAnnouncedViolations(): string[] {
  return listSources(planted)
    .flatMap((file) => {
      const announced = /^\/\/ violates: (.*)$/m.exec(readFileSync(path.join(planted, file), 'utf8'))?.[1] ?? '';
      return announced.split(', ').flatMap((rule) => (rule === '' ? [] : [`${file}: ${rule}`]));
    })
    .sort();
}

describe('import rules', () => {
  let real: Verdict;
  let fixtures: Verdict;

  beforeAll(async () => {
    [real, fixtures] = await Promise.all([cruise(root), cruise(planted)]);
  }, 120_000);

  test('the checker reads every source file', () => {
    expect(real.modules.length).toBeGreaterThan(50);
    expect(real.modules).toEqual(listSources(root));
    expect(fixtures.modules).toEqual(expect.arrayContaining(listSources(planted)));
  });

  test('src/ breaks no rule', () => {
    expect(real.violations).toEqual([]);
  });

  test('every planted violation is caught, and nothing else is', () => {
    expect(fixtures.violations).toEqual(listAnnouncedViolations());
  });

  test('every rule has a planted violation and says why it exists', () => {
    const { forbidden } = createRequire(import.meta.url)(config);
    for (const { name, comment } of forbidden) {
      expect(
        fixtures.violations.some((violation) => violation.endsWith(`: ${name}`)) ? name : `${name}: not planted`,
      ).toBe(name);
      expect(comment.length).toBeGreaterThan(20);
    }
  });
});
