import { expect, test } from '@jest/globals';
import { Test } from '@nestjs/testing';
import { ConfigError } from '../../../src/config/config-problem.js';
import { ConfigModule } from '../../../src/config/config.module.js';
import { GatewayConfig } from '../../../src/config/gateway.config.js';
import { GeminiConfig } from '../../../src/config/gemini.config.js';
import { GopherConfig } from '../../../src/config/gopher.config.js';
import { loadConfig } from '../../../src/config/load-config.js';
import { ServerConfig } from '../../../src/config/server.config.js';

test('each section is injected by its class, as it was loaded', async () => {
  const loaded = loadConfig({ GOPHER_MAX_MENU_ITEMS: '7' });
  if (!loaded.ok) throw new Error('valid settings');
  const graph = await Test.createTestingModule({ imports: [ConfigModule.forRoot(() => loaded)] }).compile();
  expect(graph.get(GopherConfig)).toBe(loaded.value.gopher);
  expect(graph.get(GeminiConfig)).toBe(loaded.value.gemini);
  expect(graph.get(ServerConfig)).toBe(loaded.value.server);
  expect(graph.get(GatewayConfig)).toBe(loaded.value.gateway);
});

test('a graph with an invalid setting is not built, and all problems are told', async () => {
  const imports = [ConfigModule.forRoot(() => loadConfig({ GOPHER_MAX_MENU_ITEMS: 'x', GOPHER_MCP_PORT: 'y' }))];
  const building = Test.createTestingModule({ imports }).compile();
  await expect(building).rejects.toThrow(ConfigError);
  await expect(building).rejects.toThrow(/GOPHER_MAX_MENU_ITEMS: .*\n.*GOPHER_MCP_PORT: /);
});

test("neither the settings nor the process's variables leak into each other", async () => {
  const before = { ...process.env };
  process.env['GOPHER_MAX_MENU_ITEMS'] = '9';
  try {
    const graph = await Test.createTestingModule({ imports: [ConfigModule.forRoot(() => loadConfig({}))] }).compile();
    expect(graph.get(GopherConfig).maxMenuItems).toBe(1000);
    expect(process.env).toEqual({ ...before, GOPHER_MAX_MENU_ITEMS: '9' });
  } finally {
    if (before['GOPHER_MAX_MENU_ITEMS'] === undefined) delete process.env['GOPHER_MAX_MENU_ITEMS'];
    else process.env['GOPHER_MAX_MENU_ITEMS'] = before['GOPHER_MAX_MENU_ITEMS'];
  }
});
