/** Where name, version and settings are published, they are those of the package. */
import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { knownVariables } from '../../src/config/sections.js';
import { REPOSITORY } from '../support/server-under-test.js';

const read = (name: string) => JSON.parse(readFileSync(path.join(REPOSITORY, name), 'utf8'));

describe('server.json, for the registry of MCP servers', () => {
  const server = read('server.json');
  const manifest = read('package.json');

  test('has the name, the version and the description of the package', () => {
    expect(server).toMatchObject({
      name: manifest.mcpName,
      version: manifest.version,
      description: manifest.description,
      packages: [{ registryType: 'npm', identifier: manifest.name, version: manifest.version }],
    });
    expect(server.description.length).toBeLessThanOrEqual(100);
  });

  test('names only settings that there are', () => {
    const named = server.packages[0].environmentVariables.map(({ name }: { name: string }) => name);
    expect(knownVariables()).toEqual(expect.arrayContaining(named));
  });
});
