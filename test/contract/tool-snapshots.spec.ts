/**
 * One committed file for each tool, exactly as clients see it. Models choose and call tools by this text alone, so a change has
 * to be seen in review.
 *
 * After a change that is meant: UPDATE_SNAPSHOTS=1 npm test -- contract -t snapshot
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { TOOL_TABLE } from '../../src/mcp/index.js';
import { listed } from '../../src/mcp/server-factory.js';
import { REPOSITORY } from '../support/server-under-test.js';

const FOLDER = join(REPOSITORY, 'test', 'contract', 'snapshots');
const UPDATING = process.env['UPDATE_SNAPSHOTS'] === '1';
const HINT =
  'If the change is meant, run UPDATE_SNAPSHOTS=1 npm test -- contract -t snapshot, and review the difference.';

const fileOf = (name: string): string => join(FOLDER, `${name}.json`);

test.each(TOOL_TABLE.map((tool) => [tool.name, tool] as const))('%s is as its snapshot', (name, tool) => {
  const given = `${JSON.stringify(listed(tool), null, 2)}\n`;
  if (UPDATING) writeFileSync(fileOf(name), given);
  const saved = savedText(name);
  if (saved === undefined) throw new Error(`test/contract/snapshots/${name}.json is missing. ${HINT}`);
  try {
    expect(given).toBe(saved);
  } catch (difference) {
    throw new Error(`The tool ${name} is not what its snapshot says. ${HINT}`, { cause: difference });
  }
});

test('there is no snapshot of a tool that is gone', () => {
  expect(readdirSync(FOLDER).sort()).toEqual(TOOL_TABLE.map(({ name }) => `${name}.json`).sort());
});

function savedText(name: string): string | undefined {
  try {
    return readFileSync(fileOf(name), 'utf8');
  } catch {
    return undefined;
  }
}
