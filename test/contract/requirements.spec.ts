/** Every promise has a test, and what is named as its test is one. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from '@jest/globals';
import ts from 'typescript';

import { OF_THE_PRODUCT } from '../conformance/runs.mjs';
import { REQUIREMENTS } from '../requirements.js';
import { loadScenarios } from '../support/scenario-format.js';
import { REPOSITORY } from '../support/server-under-test.js';
import { loadWireCases } from '../support/wire-case-format.js';
import { VERIFIED_BY, type Evidence } from '../verifies.js';

const AREAS = ['TOOLS', 'RESULT', 'ERROR', 'CONFIG', 'CLI', 'GOPHER', 'GEMINI', 'GEMTEXT', 'CACHE'];
const MORE_AREAS = ['TRUST', 'IDENTITY', 'SAFETY', 'ROBOTS', 'TEXT', 'MCP', 'SERVER'];

const scenarioIds = new Set(loadScenarios().map(({ id }) => id));
const wireIds = new Set(loadWireCases().map(({ id }) => id));
const conformanceIds = new Set(Object.values(OF_THE_PRODUCT).flat());

describe('promises', () => {
  test('have an id of an area, and a source', () => {
    const id = new RegExp(`^(${[...AREAS, ...MORE_AREAS].join('|')})(-[A-Z0-9.]+)+$`);
    for (const [name, text] of Object.entries(REQUIREMENTS)) {
      expect(name).toMatch(id);
      expect([name, text]).toEqual([name, expect.stringMatching(/^\S.+ \([^()]+\)$/)]);
    }
  });

  test('are said once', () => {
    const texts = Object.values(REQUIREMENTS);
    expect(new Set(texts).size).toBe(texts.length);
  });

  test('have tests, and no test is named for a promise that there is not', () => {
    expect(Object.keys(VERIFIED_BY).sort()).toEqual(Object.keys(REQUIREMENTS).sort());
    const bare = Object.entries(VERIFIED_BY).filter(([, evidence]) => evidence.length === 0);
    expect(bare.map(([id]) => id)).toEqual([]);
  });

  test.each(Object.entries(VERIFIED_BY))('%s is verified by tests that there are', (_id, evidence) => {
    expect(evidence.flatMap(missing)).toEqual([]);
  });
});

describe('looking for tests', () => {
  const source = `
    const rows = [['a row', 1]];
    describe('a group', () => {
      test.each(rows)('%s is read', () => check('within'));
      test(\`id \${id}: why\`, () => {});
      // test('a comment')
      test.skip('left out', () => check('left out, too'));
    });
    describe.skip('a group left out', () => { test('below', () => {}); });
    test.todo('still to be written');
  `;

  test('finds titles and rows, and nothing that is not run', () => {
    expect([...textsOf(source)].sort()).toEqual(['%s is read', 'a group', 'a row', 'id ${id}: why', 'within']);
  });
});

/** What of the evidence does not exist. */
function missing(evidence: Evidence): readonly string[] {
  if ('scenario' in evidence) return unknown(scenarioIds, 'scenario', evidence.scenario);
  if ('wire' in evidence) return unknown(wireIds, 'wire case', evidence.wire);
  if ('conformance' in evidence) return unknown(conformanceIds, 'conformance scenario', evidence.conformance);
  const path = ['.spec.ts', '.ts'].map((ending) => join(REPOSITORY, 'test', evidence.file + ending)).find(existsSync);
  if (path === undefined) return [`no file ${evidence.file}`];
  const texts = textsOfFile(path);
  return evidence.titles.filter((title) => !texts.has(title)).map((title) => `no "${title}" in ${evidence.file}`);
}

function unknown(known: ReadonlySet<string>, what: string, id: string): readonly string[] {
  return known.has(id) ? [] : [`no ${what} ${id}`];
}

const read = new Map<string, ReadonlySet<string>>();

function textsOfFile(path: string): ReadonlySet<string> {
  const texts = read.get(path) ?? textsOf(readFileSync(path, 'utf8'));
  read.set(path, texts);
  return texts;
}

/** Titles of tests and groups, and the texts of their tables, as they stand in the source; what is skipped does not count. */
function textsOf(source: string): ReadonlySet<string> {
  const texts = new Set<string>();
  const file = ts.createSourceFile('a.spec.ts', source, ts.ScriptTarget.ES2022, true);
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || isSkipped(node)) return;
    if (ts.isStringLiteralLike(node)) texts.add(node.text);
    if (ts.isTemplateExpression(node)) texts.add(node.getText(file).slice(1, -1));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return texts;
}

/** A call of `test.skip`, `describe.skip`, `test.todo` or such. */
function isSkipped(node: ts.Node): boolean {
  return ts.isCallExpression(node) && /^(test|it|describe)\b.*\.(skip|todo)\b/.test(node.expression.getText());
}
