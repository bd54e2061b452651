import { describe, expect, test } from '@jest/globals';
import { validateSync } from 'class-validator';
import { formatProblem } from '../../../src/config/config-problem.js';
import type { Environment } from '../../../src/config/environment.js';
import { loadConfig, type Config, type LoadOptions } from '../../../src/config/load-config.js';
import { SECTIONS } from '../../../src/config/sections.js';

function load(environment: Environment, options?: LoadOptions): Config {
  const loaded = loadConfig(environment, options);
  if (!loaded.ok) throw new Error(loaded.error.map(formatProblem).join('\n'));
  return loaded.value;
}

/** The lines on stderr, without what they all start with. */
function problems(environment: Environment, options?: LoadOptions): string[] {
  const loaded = loadConfig(environment, options);
  return loaded.ok
    ? []
    : loaded.error.map((problem) => formatProblem(problem).replace('gopher-mcp: configuration error: ', ''));
}

describe('defaults', () => {
  test('an empty environment gives the documented defaults', () => {
    const { gopher, gemini, server, gateway, notices } = load({});
    const shared = {
      maxResponseSize: 1_048_576,
      timeoutSeconds: 30,
      maxWaitSeconds: 60,
      cacheEnabled: true,
      cacheTtlSeconds: 300,
      maxCacheEntries: 1000,
      allowedHosts: null,
      allowLocalHosts: false,
      allowedNetworks: null,
      deniedNetworks: null,
      allowedPorts: null,
      maxRenderedChars: 50_000,
      maxConcurrentRequests: 5,
      requestsPerMinute: 60,
      respectRobotsTxt: true,
      robotsCacheTtlSeconds: 86_400,
      robotsHonorAiTokens: true,
      robotsFailureBackoffSeconds: 60,
    };
    expect(gopher).toEqual({ ...shared, maxSelectorLength: 1024, maxSearchLength: 256, maxMenuItems: 1000 });
    expect(gemini).toEqual({
      ...shared,
      tofuEnabled: true,
      tofuStoragePath: null,
      tofuRejectExpired: false,
      tofuRenewal: [],
      clientCertsEnabled: true,
      clientCertsStoragePath: null,
      deniedMimeTypes: [],
    });
    expect(server).toEqual({
      logLevel: 'INFO',
      structuredLogging: true,
      logFilePath: null,
      cacheMaxBytes: 67_108_864,
      heldBodiesMaxBytes: 33_554_432,
      maxResultBytes: 262_144,
      tools: null,
      readOnly: false,
    });
    expect(gateway).toEqual({
      transport: 'stdio',
      host: '127.0.0.1',
      port: 8000,
      allowedHosts: null,
      maxSessions: 1000,
      sessionTtlSeconds: 1800,
      maxBodyBytes: 1_048_576,
      requestTimeoutSeconds: 30,
      metricsPort: null,
      drainSeconds: 10,
    });
    expect(notices).toEqual([]);
  });

  test.each(SECTIONS)('the defaults of $title are valid by its own rules', ({ type }) => {
    expect(validateSync(new type())).toEqual([]);
  });

  test('a configuration cannot be changed', () => {
    const { gopher } = load({ GOPHER_ALLOWED_PORTS: '70' });
    expect(() => Object.assign(gopher, { timeoutSeconds: 1 })).toThrow(TypeError);
    expect(() => Object.assign(gopher.allowedPorts ?? [], { 0: 22 })).toThrow(TypeError);
  });
});

describe('values that are accepted', () => {
  test.each<[string, string, (config: Config) => unknown, unknown]>([
    ['GOPHER_MAX_RESPONSE_SIZE', '2_048.0', ({ gopher }) => gopher.maxResponseSize, 2048],
    ['GOPHER_MAX_RESPONSE_SIZE', '1024', ({ gopher }) => gopher.maxResponseSize, 1024],
    ['GOPHER_MAX_RESPONSE_SIZE', '104857600', ({ gopher }) => gopher.maxResponseSize, 104_857_600],
    ['GEMINI_TIMEOUT_SECONDS', ' 1e-1 ', ({ gemini }) => gemini.timeoutSeconds, 0.1],
    ['GEMINI_TIMEOUT_SECONDS', '300', ({ gemini }) => gemini.timeoutSeconds, 300],
    ['GEMINI_TOFU_ENABLED', 'OFF', ({ gemini }) => gemini.tofuEnabled, false],
    ['GOPHER_MCP_METRICS_PORT', '0', ({ gateway }) => gateway.metricsPort, 0],
    ['GOPHER_MCP_METRICS_PORT', ' ', ({ gateway }) => gateway.metricsPort, null],
    ['GOPHER_MCP_DRAIN_SECONDS', '600', ({ gateway }) => gateway.drainSeconds, 600],
    [
      'GOPHER_ALLOWED_HOSTS',
      'Example.org,, .sub.example ',
      ({ gopher }) => gopher.allowedHosts,
      ['example.org', '.sub.example'],
    ],
    ['GOPHER_ALLOWED_HOSTS', '["a.example","a.example."]', ({ gopher }) => gopher.allowedHosts, ['a.example']],
    ['GOPHER_ALLOWED_PORTS', '[70,"7070"]', ({ gopher }) => gopher.allowedPorts, [70, 7070]],
    [
      'GOPHER_ALLOWED_NETWORKS',
      '10.0.0.0/8, fd00::/8, 192.0.2.1',
      ({ gopher }) => gopher.allowedNetworks,
      ['10.0.0.0/8', 'fd00::/8', '192.0.2.1'],
    ],
    [
      'GEMINI_DENIED_MIME_TYPES',
      'Text/HTML, image/*',
      ({ gemini }) => gemini.deniedMimeTypes,
      ['text/html', 'image/*'],
    ],
    ['GEMINI_DENIED_MIME_TYPES', ',', ({ gemini }) => gemini.deniedMimeTypes, []],
    ['GEMINI_TOFU_RENEWAL', 'Expired,same-key', ({ gemini }) => gemini.tofuRenewal, ['expired', 'same-key']],
    ['GEMINI_TOFU_STORAGE_PATH', '/a b/tofu.json', ({ gemini }) => gemini.tofuStoragePath, '/a b/tofu.json'],
    ['GOPHER_MCP_LOG_LEVEL', 'warning', ({ server }) => server.logLevel, 'WARNING'],
    ['GOPHER_MCP_MAX_RESULT_BYTES', '0', ({ server }) => server.maxResultBytes, 0],
    ['GOPHER_MCP_MAX_RESULT_BYTES', '4096', ({ server }) => server.maxResultBytes, 4096],
    ['GOPHER_MCP_TOOLS', 'gopher_fetch, gemini_fetch', ({ server }) => server.tools, ['gopher_fetch', 'gemini_fetch']],
    ['GOPHER_MCP_HOST', '[::1]', ({ gateway }) => gateway.host, '::1'],
    ['GOPHER_MCP_PORT', '0', ({ gateway }) => gateway.port, 0],
    ['GOPHER_MCP_TRANSPORT', 'Streamable-HTTP', ({ gateway }) => gateway.transport, 'streamable-http'],
    [
      'GOPHER_MCP_ALLOWED_HOSTS',
      'Proxy.example:443,::1',
      ({ gateway }) => gateway.allowedHosts,
      ['proxy.example:443', '[::1]'],
    ],
  ])('%s=%j', (variable, text, read, value) => {
    expect(read(load({ [variable]: text }))).toEqual(value);
  });

  test('a lifetime of zero turns the cache off, whatever CACHE_ENABLED says', () => {
    const { gopher, gemini } = load({ GOPHER_CACHE_TTL_SECONDS: '0', GOPHER_CACHE_ENABLED: 'true' });
    expect([gopher.cacheEnabled, gemini.cacheEnabled]).toEqual([false, true]);
  });

  test.each(SECTIONS)('an empty variable of $title leaves the default in place', ({ key, type, prefix }) => {
    const names = Object.keys(new type()).map(
      (name) => prefix + name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase(),
    );
    const config = load(Object.fromEntries(names.map((name) => [name, ''])));
    expect(config[key]).toEqual(new type());
  });

  test.each([
    'GOPHER_TIMEOUT_SECONDS',
    'GEMINI_TOFU_ENABLED',
    'GEMINI_TOFU_STORAGE_PATH',
    'GOPHER_MCP_LOG_LEVEL',
    'GEMINI_DENIED_MIME_TYPES',
  ])('blanks in %s leave the default in place', (variable) => {
    const { gopher, gemini, server } = load({ [variable]: ' \t' });
    const defaults = load({});
    expect({ gopher, gemini, server }).toEqual({
      gopher: defaults.gopher,
      gemini: defaults.gemini,
      server: defaults.server,
    });
  });
});

describe('values that are refused', () => {
  test.each([
    ['GOPHER_MAX_RESPONSE_SIZE', '1023', 'must be an integer from 1024 to 104857600'],
    ['GOPHER_MAX_RESPONSE_SIZE', '104857601', 'must be an integer from 1024 to 104857600'],
    ['GOPHER_MAX_RESPONSE_SIZE', '1.5', 'must be an integer from 1024 to 104857600'],
    ['GOPHER_MAX_RESPONSE_SIZE', '99999999999999999999999', 'must be an integer from 1024 to 104857600'],
    ['GEMINI_TIMEOUT_SECONDS', '0', 'must be a number above 0 and at most 300'],
    ['GEMINI_TIMEOUT_SECONDS', 'nan', 'must be a number above 0 and at most 300'],
    ['GEMINI_TIMEOUT_SECONDS', '1e999', 'must be a number above 0 and at most 300'],
    ['GEMINI_REQUESTS_PER_MINUTE', '-1', 'must be a number from 0 to 6000'],
    ['GOPHER_CACHE_ENABLED', 'maybe', 'must be one of true, t, yes, y, on, 1, false, f, no, n, off, 0'],
    ['GOPHER_MCP_LOG_LEVEL', 'TRACE', 'must be one of DEBUG, INFO, WARNING, ERROR, CRITICAL'],
    ['GOPHER_MCP_TRANSPORT', 'tcp', 'must be one of stdio, sse, streamable-http'],
    ['GOPHER_MCP_HOST', 'a b', 'must be a host name or an IP address'],
    ['GOPHER_MCP_PORT', '65536', 'must be an integer from 0 to 65535'],
    ['GOPHER_MCP_METRICS_PORT', '65536', 'must be an integer from 0 to 65535'],
    ['GOPHER_MCP_DRAIN_SECONDS', '601', 'must be an integer from 0 to 600'],
    ['GOPHER_MCP_MAX_RESULT_BYTES', '4095', 'must be 0 or an integer from 4096 to 16777216'],
    ['GOPHER_ALLOWED_PORTS', '70,0', 'must be a list with at least one port number from 1 to 65535'],
    ['GOPHER_ALLOWED_PORTS', '70,http', 'must be a list with at least one port number from 1 to 65535'],
    ['GOPHER_ALLOWED_PORTS', '[]', 'must be a list with at least one port number from 1 to 65535'],
    ['GOPHER_ALLOWED_PORTS', ' ', 'must be a list with at least one port number from 1 to 65535'],
    ['GOPHER_ALLOWED_HOSTS', ',', 'must be a list with at least one host name, address, or .domain'],
    ['GOPHER_ALLOWED_HOSTS', ' ', 'must be a list with at least one host name, address, or .domain'],
    ['GEMINI_DENIED_NETWORKS', '[]', 'must be a list with at least one network such as 10.0.0.0/8 or fd00::/8'],
    ['GOPHER_MCP_ALLOWED_HOSTS', ',', 'must be a list with at least one HOST or HOST:PORT'],
    ['GOPHER_MCP_TOOLS', ',', 'must be a list with at least one tool name'],
  ])('%s=%j', (variable, text, requirement) => {
    expect(problems({ [variable]: text })).toEqual([`${variable}: ${requirement}, got ${JSON.stringify(text)}`]);
  });

  test.each([
    ['GOPHER_ALLOWED_HOSTS', 'ok.example,https://a.example/,*.b.example', ['https://a.example/', '*.b.example']],
    ['GOPHER_ALLOWED_NETWORKS', '10.0.0.0/8,10.0.0.0/33,localhost', ['10.0.0.0/33', 'localhost']],
    ['GEMINI_DENIED_MIME_TYPES', 'text/html;charset=utf-8,html,image/*', ['text/html;charset=utf-8', 'html']],
    ['GEMINI_TOFU_RENEWAL', 'expired,always', ['always']],
    ['GOPHER_MCP_TOOLS', 'gopher_fetch,Fetch!', ['Fetch!']],
  ])('%s=%j names each entry that is wrong', (variable, text, entries) => {
    const [line = '', ...others] = problems({ [variable]: text });
    expect(others).toEqual([]);
    for (const entry of entries) expect(line).toContain(`${JSON.stringify(entry)} is not`);
    expect(line).not.toContain('"ok.example" is');
  });

  test('all problems of all sections come at once, sections and settings in order', () => {
    const lines = problems({
      GOPHER_MCP_PORT: 'x',
      GOPHER_MCP_LOG_LEVEL: 'x',
      GEMINI_TOFU_ENABLED: 'x',
      GOPHER_MAX_MENU_ITEMS: 'x',
      GOPHER_MAX_RESPONSE_SIZE: 'x',
    });
    expect(lines.map((line) => line.split(':')[0])).toEqual([
      'GOPHER_MAX_RESPONSE_SIZE',
      'GOPHER_MAX_MENU_ITEMS',
      'GEMINI_TOFU_ENABLED',
      'GOPHER_MCP_LOG_LEVEL',
      'GOPHER_MCP_PORT',
    ]);
  });

  test('a hostile value stays on its line, escaped and shortened', () => {
    const [line = ''] = problems({ GOPHER_CACHE_ENABLED: `a\n\u001b[31m\u202e${'x'.repeat(5000)}` });
    expect(line).toContain(String.raw`got "a\n\u001b[31m\u202exxx`);
    expect(line.length).toBeLessThan(400);
  });

  test('a tool that does not exist is refused where the tools are known', () => {
    const toolNames = ['gopher_fetch', 'gemini_fetch'];
    expect(problems({ GOPHER_MCP_TOOLS: 'gopher_fetch' }, { toolNames })).toEqual([]);
    expect(problems({ GOPHER_MCP_TOOLS: 'gopher_fetch,gopher_fecth' }, { toolNames })).toEqual([
      'GOPHER_MCP_TOOLS: must be a list of gopher_fetch, gemini_fetch, got "gopher_fetch,gopher_fecth"',
    ]);
    expect(problems({ GOPHER_MCP_TOOLS: 'Fetch!' }, { toolNames })).toHaveLength(1);
  });
});

describe('where values come from', () => {
  const envFile = (text: string): Uint8Array => Buffer.from(text);

  test('names are case-insensitive, and the upper-case spelling counts', () => {
    expect(load({ gopher_timeout_seconds: '5' }).gopher.timeoutSeconds).toBe(5);
    for (const environment of [
      { GOPHER_TIMEOUT_SECONDS: '5', gopher_timeout_seconds: '6' },
      { gopher_timeout_seconds: '6', GOPHER_TIMEOUT_SECONDS: '5' },
    ]) {
      expect(load(environment).gopher.timeoutSeconds).toBe(5);
    }
  });

  test('the environment goes before the .env file, in whatever case', () => {
    const file = envFile('GOPHER_TIMEOUT_SECONDS=7\nGOPHER_MAX_MENU_ITEMS=8\n');
    const { gopher } = load({ gopher_timeout_seconds: '5' }, { envFile: file });
    expect([gopher.timeoutSeconds, gopher.maxMenuItems]).toEqual([5, 8]);
  });

  test('quotes, comments, a byte order mark and CRLF in a .env file', () => {
    const file = envFile(
      '\ufeffGEMINI_TOFU_STORAGE_PATH="/a # b/tofu.json"\r\n# comment\r\nexport GOPHER_ALLOWED_PORTS=70 # usual\r\n',
    );
    const { gemini, gopher } = load({}, { envFile: file });
    expect([gemini.tofuStoragePath, gopher.allowedPorts]).toEqual(['/a # b/tofu.json', [70]]);
  });

  test('a .env file that is not UTF-8 is refused, beside the other problems', () => {
    expect(problems({ GOPHER_MCP_PORT: 'x' }, { envFile: Buffer.from([0xff, 0xfe]) })).toEqual([
      '.env: must be UTF-8 text',
      'GOPHER_MCP_PORT: must be an integer from 0 to 65535, got "x"',
    ]);
  });

  test('its use is told when it has something of ours, and foreign names in it are left alone', () => {
    const used = load({}, { envFile: envFile('GOPHER_MAX_MENU_ITEMS=8\nHOME=/elsewhere\nDATABASE_URL=secret\n') });
    expect(used.notices).toEqual([
      { level: 'info', event: 'settings read from .env in the working directory', fields: { variables: 1 } },
    ]);
    expect(load({}, { envFile: envFile('DATABASE_URL=secret\n') }).notices).toEqual([]);
  });

  test("an orchestrator's variables for a service of our name are no settings", () => {
    const { gateway, notices } = load({
      GOPHER_MCP_SERVICE_HOST: '10.0.0.1',
      GOPHER_MCP_SERVICE_PORT: '8000',
      GOPHER_MCP_SERVICE_PORT_HTTP: '8000',
      GOPHER_MCP_PORT: 'tcp://10.0.0.1:8000',
      GOPHER_MCP_PORT_8000_TCP: 'tcp://10.0.0.1:8000',
      GOPHER_MCP_PORT_8000_TCP_PROTO: 'tcp',
      GOPHER_MCP_PORT_8000_TCP_PORT: '8000',
      GOPHER_MCP_PORT_8000_TCP_ADDR: '10.0.0.1',
    });
    expect([gateway.port, notices]).toEqual([8000, []]);
    expect(problems({ GOPHER_MCP_PORT: 'http://10.0.0.1:8000' })).toHaveLength(1);
  });

  test('a field that a person left empty in the form of a desktop client is no setting', () => {
    const { gateway, gopher, notices } = load({
      GOPHER_MCP_PORT: '${user_config.port}',
      GOPHER_ALLOWED_HOSTS: '${user_config.gopher_allowed_hosts}',
    });
    expect([gateway.port, gopher.allowedHosts, notices]).toEqual([8000, null, []]);
  });

  test('flags go before everything else', () => {
    const environment = {
      GOPHER_MCP_TRANSPORT: 'sse',
      GOPHER_MCP_HOST: '::1',
      GOPHER_MCP_PORT: '1',
      GOPHER_MCP_ALLOWED_HOSTS: 'x',
    };
    const flags = {
      transport: 'streamable-http',
      host: '127.0.0.2',
      port: '9000',
      allowedHosts: ['a.example', 'b.example:80'],
    };
    expect(load(environment, { flags }).gateway).toMatchObject({
      transport: 'streamable-http',
      host: '127.0.0.2',
      port: 9000,
      allowedHosts: ['a.example', 'b.example:80'],
    });
    expect(load(environment, { flags: { allowedHosts: [] } }).gateway.allowedHosts).toEqual(['x']);
  });

  test('a flag is called by its own name in a problem', () => {
    const flags = { host: 'a b', allowedHosts: ['http://a.example', 'b'] };
    const [host, allowed] = problems({ GOPHER_MCP_HOST: 'fine' }, { flags });
    expect(host).toBe('--host: must be a host name or an IP address, got "a b"');
    expect(allowed).toContain('--allowed-host: must be a list');
  });
});

describe('notices', () => {
  test('metrics over stdio are nowhere to be read', () => {
    const variables = { GOPHER_MCP_METRICS_PORT: '9100' };
    expect(load(variables).notices).toMatchObject([{ level: 'warning', event: 'no metrics over stdio' }]);
    expect(load({ ...variables, GOPHER_MCP_TRANSPORT: 'streamable-http' }).notices).toEqual([]);
  });

  test('turning trust on first use off is worth a warning', () => {
    expect(load({ GEMINI_TOFU_ENABLED: 'off' }).notices).toEqual([
      expect.objectContaining({ level: 'warning', event: 'Gemini servers are not authenticated' }),
    ]);
  });

  test.each([
    ['GOPHER_ALOWED_HOSTS', 'warning', 'GOPHER_ALLOWED_HOSTS'],
    ['gemini_tofu_enable', 'warning', 'GEMINI_TOFU_ENABLED'],
    ['GOPHER_LOG_LEVEL', 'warning', 'GOPHER_MCP_LOG_LEVEL'],
    ['GOPHER_SOMETHING_ELSE', 'warning', undefined],
    ['GOPHER_MCP_APP_GOPHER', 'warning', undefined],
    // Other products use the prefix.
    ['GEMINI_API_KEY', 'info', undefined],
  ])('%s is unknown: %s, nearest %s', (variable, level, nearest) => {
    const { notices } = load({ [variable]: 'secret value' });
    expect(notices).toEqual([
      {
        level,
        event: 'unknown variable ignored',
        fields: { variable: variable.toUpperCase(), ...(nearest === undefined ? {} : { did_you_mean: nearest }) },
      },
    ]);
  });

  test('listed ports that stay closed are named, by protocol', () => {
    const { notices } = load(
      { GOPHER_ALLOWED_PORTS: '22,70', GEMINI_ALLOWED_PORTS: '1965' },
      { closedPorts: new Set([22, 25]) },
    );
    expect(notices).toEqual([
      {
        level: 'warning',
        event: 'listed ports stay closed',
        fields: { variable: 'GOPHER_ALLOWED_PORTS', ports: [22] },
      },
    ]);
  });

  test.each([
    ['stdio', '0.0.0.0', false],
    ['streamable-http', '127.0.0.1', false],
    ['streamable-http', '127.8.8.8', false],
    ['streamable-http', 'LOCALHOST', false],
    ['streamable-http', '[::1]', false],
    ['streamable-http', '0.0.0.0', true],
    ['sse', '::', true],
    ['streamable-http', 'gateway.example', true],
    ['streamable-http', '127.0.0.1.example', true],
  ])('%s on %s warns about open doors: %s', (transport, host, warns) => {
    const { notices } = load({}, { flags: { transport, host } });
    expect(notices.map(({ level }) => level)).toEqual(warns ? ['warning'] : []);
  });

  test('an open endpoint that checks host names is told another remedy', () => {
    const flags = { transport: 'streamable-http', host: '0.0.0.0' };
    const [unchecked] = load({}, { flags }).notices;
    const [checked] = load({}, { flags: { ...flags, allowedHosts: ['a.example'] } }).notices;
    expect(unchecked?.fields).toMatchObject({ host_check: false, remedy: expect.stringContaining('--allowed-host') });
    expect(checked?.fields).toMatchObject({ host_check: true, remedy: expect.not.stringContaining('--allowed-host') });
  });
});
