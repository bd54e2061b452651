import { describe, expect, test } from '@jest/globals';
import { err, ok, type Result } from '../../../src/common/result.js';
import { formatProblem, loadConfig, policyFields, printConfig, type Config } from '../../../src/config/index.js';
import { SECTIONS, secretFileVariable, variableName } from '../../../src/config/sections.js';
import { settingsOf } from '../../../src/config/setting.js';

const KEY = 'c0ffee'.repeat(10) + 'beef';
const KEY_BASE64 = Buffer.from(KEY, 'hex').toString('base64');
const VARIABLE = 'GOPHER_MCP_STATE_KEY';

/** Files by path. */
type Files = Readonly<Record<string, string | Uint8Array>>;

function reader(files: Files): (path: string) => Result<Uint8Array, string> {
  return (path) => {
    const content = files[path];
    if (content === undefined) return err('ENOENT');
    return ok(typeof content === 'string' ? Buffer.from(content) : content);
  };
}

function load(environment: Record<string, string>, files: Files = {}, envFile?: string): Config {
  const loaded = loadConfig(environment, {
    readSecretFile: reader(files),
    ...(envFile === undefined ? {} : { envFile: Buffer.from(envFile) }),
  });
  if (!loaded.ok) throw new Error(loaded.error.map(formatProblem).join('\n'));
  return loaded.value;
}

function problems(environment: Record<string, string>, files: Files = {}): string[] {
  const loaded = loadConfig(environment, { readSecretFile: reader(files) });
  return loaded.ok
    ? []
    : loaded.error.map((problem) => formatProblem(problem).replace('gopher-mcp: configuration error: ', ''));
}

const SECRETS = SECTIONS.flatMap((section) =>
  settingsOf(section.type)
    .filter(({ secret }) => secret)
    .map((setting) => variableName(section, setting)),
);

describe('a secret in a file', () => {
  test.each([
    ['as it stands', KEY],
    ['less one line feed', `${KEY}\n`],
    ['less a carriage return and a line feed', `${KEY_BASE64}\r\n`],
    ['after a byte order mark', `\ufeff${KEY}\n`],
  ])('is its value %s', (_, content) => {
    const { state, notices } = load({ GOPHER_MCP_STATE_KEY_FILE: '/run/secrets/key' }, { '/run/secrets/key': content });
    expect(state.stateKey).toBe(KEY);
    expect(notices).toEqual([]);
  });

  test('may be named in the .env file', () => {
    expect(load({}, { '/key': KEY }, 'GOPHER_MCP_STATE_KEY_FILE=/key').state.stateKey).toBe(KEY);
  });

  test('leaves the default where its variable is blank, and fills in for a variable that is', () => {
    expect(load({ GOPHER_MCP_STATE_KEY_FILE: ' ' }).state.stateKey).toBeNull();
    expect(load({ [VARIABLE]: '', GOPHER_MCP_STATE_KEY_FILE: '/key' }, { '/key': KEY }).state.stateKey).toBe(KEY);
  });

  test('only a secret has one', () => {
    const { notices } = load({ GOPHER_MCP_LOG_LEVEL_FILE: '/level' }, { '/level': 'DEBUG' });
    expect(notices).toEqual([expect.objectContaining({ event: 'unknown variable ignored', level: 'warning' })]);
  });

  test.each([
    ['given twice', { [VARIABLE]: KEY }, { '/key': KEY }, `must not be given together with ${VARIABLE}`],
    ['missing', {}, {}, 'must name a file that holds the secret (ENOENT)'],
    ['empty', {}, { '/key': '\n' }, 'must name a file that holds the secret (empty)'],
    ['not text', {}, { '/key': Uint8Array.of(0xff, 0xfe) }, 'must name a file that holds the secret (not UTF-8)'],
    ['not fit', {}, { '/key': 'hunter2' }, 'must be 32 bytes in base64 or hexadecimal'],
    ['two lines', {}, { '/key': `${KEY}\n${KEY}\n` }, 'must be 32 bytes in base64 or hexadecimal'],
  ])('that is %s is a problem that quotes neither path nor content', (_, environment, files, requirement) => {
    expect(problems({ ...environment, GOPHER_MCP_STATE_KEY_FILE: '/key' }, files)).toEqual([
      `GOPHER_MCP_STATE_KEY_FILE: ${requirement}`,
    ]);
  });

  test('is not read where nothing can be read', () => {
    const loaded = loadConfig({ GOPHER_MCP_STATE_KEY_FILE: '/key' });
    expect(loaded.ok ? [] : loaded.error.map(({ name }) => name)).toEqual(['GOPHER_MCP_STATE_KEY_FILE']);
  });
});

describe('a planted secret', () => {
  const PLANTED = 'planted-5ec3e7';

  test('there are secrets to look for', () => {
    expect(SECRETS).toContain(VARIABLE);
  });

  test.each(SECRETS)('in %s is in no problem, whether it can be used or not', (variable) => {
    const file = secretFileVariable(variable);
    const lines = [
      ...problems({ [variable]: PLANTED }),
      ...problems({ [file]: '/planted' }, { '/planted': PLANTED }),
      // The secret where the path belongs.
      ...problems({ [file]: PLANTED }),
      ...problems({ [variable]: PLANTED, [file]: '/planted' }, { '/planted': PLANTED }),
    ];
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join('\n')).not.toContain(PLANTED);
  });

  test('that is in effect is neither printed nor told to models, nor is it in a notice', () => {
    const config = load({ [VARIABLE]: KEY_BASE64 });
    const text = printConfig(config);
    expect(text).toContain(`# ${VARIABLE} is set and not shown\n`);
    const shown = [text, JSON.stringify([policyFields(config.gopher), policyFields(config.gemini), config.notices])];
    for (const secret of [KEY, KEY_BASE64]) expect(shown.join('\n')).not.toContain(secret);
  });
});

test.each([
  ['hexadecimal', KEY],
  ['hexadecimal in upper case', KEY.toUpperCase()],
  ['base64', KEY_BASE64],
  ['base64 without padding', KEY_BASE64.replace('=', '')],
  ['base64url', Buffer.from(KEY, 'hex').toString('base64url')],
])('a key may be written in %s', (_, text) => {
  expect(load({ [VARIABLE]: text }).state.stateKey).toBe(KEY);
});

describe('identities in Redis', () => {
  const REDIS = { GOPHER_MCP_REDIS_URL: 'redis://127.0.0.1' };

  test('need a state key', () => {
    expect(problems(REDIS)).toEqual([expect.stringMatching(/^GOPHER_MCP_STATE_KEY: must be set together with /)]);
    expect(problems({ ...REDIS, [VARIABLE]: KEY })).toEqual([]);
  });

  test('need none where there are no identities', () => {
    expect(problems({ ...REDIS, GEMINI_CLIENT_CERTS_ENABLED: 'false' })).toEqual([]);
  });
});
