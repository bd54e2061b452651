/**
 * Two tenants at one gateway, over real HTTP. Each test tries one way in which a tenant could see something of the other; then what
 * scopes show and allow.
 */
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ApiKeyFile, composeApiKey, hashApiKey } from '../../src/auth/index.js';
import type { HttpServer } from '../../src/bin/serve-http.js';
import { SystemClock } from '../../src/clock/system-clock.js';
// Loaded here: Jest cannot link modules at the same time that share what is not loaded yet, as the tools' behaviours do.
import '../../src/mcp/tools/gemini.behaviour.js';
import '../../src/mcp/tools/gopher.behaviour.js';
import '../../src/mcp/tools/identity.behaviour.js';
import '../../src/mcp/tools/trust.behaviour.js';
import { LOCAL_TENANT, SCOPES, type Scope } from '../../src/common/principal.js';
import { TOOL_TABLE } from '../../src/mcp/index.js';
import { AskingCapsule } from '../support/asking-capsule.js';
import { startHttpServer } from '../support/http-server.js';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const TENANTS = {
  tenants: {
    acme: { hosts: { gemini: { denied: ['secret.globex.example'] } } },
    globex: { hosts: { gemini: { denied: ['gone.example'] }, gopher: { allowed: ['only.globex.example'] } } },
    reader: { scopes: ['smallweb:read'], tools: ['gemini_fetch', 'gemini_trust_list'] },
  },
};

const NEEDS = new Map(TOOL_TABLE.map(({ name, scope }) => [name, scope]));
const SUBSETS: readonly (readonly Scope[])[] = Array.from({ length: 7 }, (_, bits) =>
  SCOPES.filter((_scope, bit) => ((bits + 1) >> bit) % 2 === 1),
);

interface Answer {
  readonly status: number;
  readonly challenge: string | null;
  readonly session: string | null;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly json: any;
  readonly text: string;
}

let folder: TemporaryFolder;
let capsule: AskingCapsule;
let keys: ApiKeyFile;
const log: string[] = [];

/** A gateway of its own for each setting of the cache. */
async function serve(env: Record<string, string> = {}, localHosts = 'true'): Promise<HttpServer> {
  return startHttpServer(
    TOOL_TABLE,
    {
      XDG_DATA_HOME: (await anotherFolder()).path,
      GOPHER_MCP_AUTH: 'api-key',
      GOPHER_MCP_API_KEYS_FILE: `${folder.path}/keys.json`,
      GOPHER_MCP_TENANTS_FILE: `${folder.path}/tenants.json`,
      GEMINI_ALLOW_LOCAL_HOSTS: localHosts,
      GEMINI_RESPECT_ROBOTS_TXT: 'false',
      GEMINI_REQUESTS_PER_MINUTE: '0',
      GEMINI_MAX_RENDERED_CHARS: '200',
      ...env,
    },
    log,
  );
}

const folders: TemporaryFolder[] = [];
async function anotherFolder(): Promise<TemporaryFolder> {
  const one = await temporaryFolder();
  folders.push(one);
  return one;
}

/** By tenant and scopes; made before any server looks. */
const keyOf = new Map<string, string>();

async function addKey(tenant: string, scopes: readonly Scope[] = SCOPES): Promise<void> {
  const seed = keyOf.size + 1;
  const { id, key } = composeApiKey(Buffer.alloc(6, seed), Buffer.alloc(32, seed));
  const record = { hash: hashApiKey(key), tenant, subject: 'ann', scopes, createdMs: Date.now() };
  const added = await keys.add(id, { ...record, expiresMs: null, revokedMs: null });
  if (!added.ok) throw new Error(added.error.message);
  keyOf.set(`${tenant} ${scopes.join(' ')}`, key);
}

function keyFor(tenant: string, scopes: readonly Scope[] = SCOPES): string {
  const key = keyOf.get(`${tenant} ${scopes.join(' ')}`);
  if (key === undefined) throw new Error('no such key');
  return key;
}

/** One caller, with a session once it has said hello. */
class Caller {
  session: string | undefined;

  constructor(
    readonly server: HttpServer,
    readonly key: string,
  ) {}

  async post(body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const response = await fetch(`${this.server.url}/mcp`, {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        authorization: `Bearer ${this.key}`,
        ...(this.session === undefined ? {} : { 'mcp-session-id': this.session }),
        ...headers,
      },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    return {
      status: response.status,
      challenge: response.headers.get('www-authenticate'),
      session: response.headers.get('mcp-session-id'),
      json: text === '' ? undefined : JSON.parse(text),
      text,
    };
  }

  request(method: string, params: object = {}): Promise<Answer> {
    return this.post({ jsonrpc: '2.0', id: 1, method, params });
  }

  async hello(): Promise<this> {
    const clientInfo = { name: 'test', version: '0' };
    const answer = await this.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    this.session = answer.session ?? undefined;
    return this;
  }

  call(name: string, args: object): Promise<Answer> {
    return this.request('tools/call', { name, arguments: args });
  }

  /** The result of a fetch. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  async fetch(path: string, over: object = {}): Promise<any> {
    const { json } = await this.call('gemini_fetch', { url: `${capsule.origin}${path}`, ...over });
    return json.result.structuredContent;
  }

  async makeIdentity(path: string): Promise<string> {
    const url = `${capsule.origin}${path}`;
    const { json } = await this.call('gemini_client_cert_update', { action: 'create', url, key_type: 'ec' });
    return json.result.structuredContent.fingerprint;
  }

  async identities(): Promise<string[]> {
    const { json } = await this.call('gemini_client_cert_list', {});
    return json.result.structuredContent.entries.map(({ fingerprint }: { fingerprint: string }) => fingerprint);
  }
}

/** What the capsule said of whom it saw. */
function seenIn({ content }: { readonly content: string }): string {
  return /seen (\w+)/.exec(content)?.[1] ?? 'nothing';
}

beforeAll(async () => {
  folder = await temporaryFolder();
  capsule = await AskingCapsule.start();
  keys = new ApiKeyFile({ path: `${folder.path}/keys.json`, clock: new SystemClock(), platform: process.platform });
  await writeFile(`${folder.path}/tenants.json`, JSON.stringify(TENANTS));
  for (const tenant of ['globex', 'reader', 'umbrella', LOCAL_TENANT, 'Acme', 'late']) await addKey(tenant);
  for (const scopes of SUBSETS) await addKey('acme', scopes);
});

afterAll(async () => {
  await capsule.close();
  await folder.remove();
  for (const one of folders) await one.remove();
});

describe('of one tenant the other sees nothing:', () => {
  let server: HttpServer;
  let ann: Caller;
  let gus: Caller;
  let fingerprint: string;

  beforeAll(async () => {
    server = await serve();
    ann = await new Caller(server, keyFor('acme')).hello();
    gus = await new Caller(server, keyFor('globex')).hello();
    fingerprint = await ann.makeIdentity('/app/');
  });
  afterAll(() => server.close());

  test('identities are presented for their tenant alone', async () => {
    expect(`sha256:${seenIn(await ann.fetch('/app/who'))}`).toBe(fingerprint);
    expect(seenIn(await gus.fetch('/app/who'))).toBe('nobody');
  });

  test('identities are listed to their tenant alone', async () => {
    expect(await ann.identities()).toEqual([fingerprint]);
    expect(await gus.identities()).toEqual([]);
  });

  test('identities cannot be removed, nor told from ones that are not there', async () => {
    const remove = (given: string) =>
      gus.call('gemini_client_cert_update', { action: 'remove', url: `${capsule.origin}/app/`, fingerprint: given });
    const [real, made_up] = [await remove(fingerprint), await remove('0'.repeat(64))];
    const withoutTime = ({ text }: Answer): string => text.replace(/\\?"timestamp\\?": ?\\?"[^"]*"/g, '');
    expect(withoutTime(real)).toBe(withoutTime(made_up));
    expect(real.text).not.toContain(fingerprint.slice(7));
    expect(await ann.identities()).toEqual([fingerprint]);
  });

  test('an identity for the same place can be made, and each keeps its own', async () => {
    const own = await gus.makeIdentity('/both/');
    const others = await ann.makeIdentity('/both/');
    expect(own).not.toBe(others);
    expect(`sha256:${seenIn(await gus.fetch('/both/x'))}`).toBe(own);
    expect(`sha256:${seenIn(await ann.fetch('/both/x'))}`).toBe(others);
  });

  test('answers that were obtained with an identity are cached for its tenant alone', async () => {
    await ann.fetch('/app/cached');
    expect(await ann.fetch('/app/cached')).toMatchObject({ cached: true });
    const seen = await gus.fetch('/app/cached');
    expect([seen.cached, seenIn(seen)]).toEqual([false, 'nobody']);
  });

  test('anonymous pages are cached for each tenant apart', async () => {
    await ann.fetch('/anonymous');
    expect(await ann.fetch('/anonymous')).toMatchObject({ cached: true });
    expect(await gus.fetch('/anonymous')).toMatchObject({ cached: false });
  });

  test('a refresh by one leaves the copy of the other', async () => {
    await ann.fetch('/refreshed');
    const before = await gus.fetch('/refreshed');
    await ann.fetch('/refreshed', { refresh: true });
    expect(await gus.fetch('/refreshed')).toMatchObject({ cached: true, content: before.content });
  });

  test('held bodies are not continued', async () => {
    const first = await ann.fetch('/app/long');
    expect(first).toMatchObject({ truncated: true });
    const times = capsule.asked.length;
    await ann.fetch('/app/long', { offset: first.next_offset });
    expect(capsule.asked).toHaveLength(times);
    expect(await gus.fetch('/app/long', { offset: first.next_offset })).toMatchObject({ cached: false });
    expect(capsule.asked).toHaveLength(times + 1);
  });

  test.each(['/held/app', '/held/plain'])('downloads under way are not joined: %s', async (path) => {
    if (path === '/held/app') await ann.makeIdentity('/held/app');
    const before = capsule.asked.length;
    const running = [ann.fetch(path), ann.fetch(path), gus.fetch(path)];
    await until(() => capsule.asked.length === before + 2);
    capsule.letGo();
    const [one, two, other] = await Promise.all(running);
    expect(one.content).toBe(two.content);
    expect(other.content).not.toBe(one.content);
    expect(seenIn(other)).toBe('nobody');
    expect(seenIn(one) === 'nobody').toBe(path === '/held/plain');
  });

  test('completions offer what one has visited oneself', async () => {
    await ann.fetch('/app/visited');
    const complete = async (caller: Caller): Promise<string[]> => {
      const ref = { type: 'ref/prompt', name: 'explore_capsule' };
      const { json } = await caller.request('completion/complete', {
        ref,
        argument: { name: 'url', value: 'visited' },
      });
      return json.result.completion.values;
    };
    expect(await complete(ann)).toEqual([`${capsule.origin}/app/visited`]);
    expect(await complete(gus)).toEqual([]);
  });

  test('a session is not there for the other', async () => {
    const thief = new Caller(server, gus.key);
    thief.session = ann.session;
    expect((await thief.request('tools/list')).status).toBe(404);
  });

  test('the policy shows the rules of the own tenant', async () => {
    const policy = async (caller: Caller): Promise<string> =>
      (await caller.request('resources/read', { uri: 'gopher-mcp://policy' })).text;
    expect(await policy(ann)).toContain('secret.globex.example');
    expect(await policy(ann)).not.toContain('only.globex.example');
    expect(await policy(gus)).toContain('only.globex.example');
    expect(await policy(gus)).not.toContain('secret.globex.example');
    for (const caller of [ann, gus]) expect(await policy(caller)).not.toContain('reader');
  });

  test('errors name neither the other tenant nor its rules', async () => {
    const { text, json } = await gus.call('gemini_fetch', { url: 'gemini://gone.example/' });
    expect(json.result.structuredContent.error).toMatchObject({ code: 'INVALID_REQUEST', reason: 'host_not_allowed' });
    expect(text).not.toMatch(/acme|secret|tenants\.json/);
    const allowed = await ann.call('gopher_fetch', { url: 'gopher://only.globex.example:25/' });
    expect(allowed.json.result.structuredContent.error).toMatchObject({ code: 'BLOCKED' });
    const refused = await gus.call('gopher_fetch', { url: 'gopher://a.example:25/' });
    expect(refused.json.result.structuredContent.error).toMatchObject({ reason: 'host_not_allowed' });
  });

  test('a page that is read as a resource is held to the same rules', async () => {
    const { json } = await gus.request('resources/read', { uri: 'gemini://gone.example/' });
    expect(json.error.data).toMatchObject({ code: 'INVALID_REQUEST', reason: 'host_not_allowed' });
  });
});

describe('anonymous pages', () => {
  test('are cached for all where the operator says so; those of an identity are not', async () => {
    const server = await serve({ GOPHER_MCP_SHARED_CACHE: 'true' });
    const [ann, gus] = [new Caller(server, keyFor('acme')), new Caller(server, keyFor('globex'))];
    await ann.fetch('/shared');
    expect(await gus.fetch('/shared')).toMatchObject({ cached: true });
    await ann.makeIdentity('/own/');
    await ann.fetch('/own/x');
    expect(await gus.fetch('/own/x')).toMatchObject({ cached: false });
    await server.close();
  });
});

describe('the deployment goes first', () => {
  test('no tenant opens what it closes', async () => {
    const server = await serve({}, 'false');
    const ann = new Caller(server, keyFor('acme'));
    expect(await ann.fetch('/')).toMatchObject({ error: { code: 'BLOCKED' } });
    await server.close();
    const listed = await serve({ GEMINI_ALLOWED_HOSTS: 'only.example' });
    expect(await new Caller(listed, ann.key).fetch('/')).toMatchObject({
      error: { message: expect.stringContaining('GEMINI_ALLOWED_HOSTS') },
    });
    await listed.close();
  });
});

describe('scopes', () => {
  let server: HttpServer;
  beforeAll(async () => {
    server = await serve();
  });
  afterAll(() => server.close());

  test.each(SUBSETS.map((scopes): [string, readonly Scope[]] => [scopes.join(' '), scopes]))(
    '%s: exactly the tools that need no more are listed and run',
    async (_name, scopes) => {
      const caller = new Caller(server, keyFor('acme', scopes));
      const { json } = await caller.request('tools/list');
      const listed = json.result.tools.map(({ name }: { name: string }) => name);
      expect(listed).toEqual([...NEEDS.keys()].filter((name) => scopes.includes(NEEDS.get(name) ?? 'smallweb:read')));
      for (const [name, scope] of NEEDS) {
        const answer = await caller.call(name, {});
        if (listed.includes(name)) expect([answer.status, answer.challenge]).toEqual([200, null]);
        else {
          expect(answer.status).toBe(403);
          expect(answer.challenge).toContain('error="insufficient_scope"');
          expect(answer.challenge).toContain(`scope="${scope}"`);
          expect(answer.json).toMatchObject({ id: 1, error: { data: { code: 'FORBIDDEN' } } });
        }
      }
      const templates = (await caller.request('resources/templates/list')).json.result.resourceTemplates;
      const page = await caller.request('resources/read', { uri: 'gemini://127.0.0.1:25/' });
      const mayRead = scopes.includes('smallweb:read');
      expect([templates.length, page.status]).toEqual(mayRead ? [2, 200] : [0, 403]);
    },
  );

  test('a batch with one call that may not be made runs none of them', async () => {
    const caller = new Caller(server, keyFor('acme', ['smallweb:read']));
    const before = capsule.asked.length;
    const call = (id: number, name: string, args: object) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name, arguments: args },
    });
    const batch = [call(1, 'gemini_fetch', { url: `${capsule.origin}/batch` }), call(2, 'gemini_trust_list', {})];
    const answer = await caller.post(batch, { 'mcp-protocol-version': '2025-03-26' });
    expect([answer.status, answer.json.id]).toEqual([403, null]);
    expect(answer.challenge).toContain('scope="smallweb:trust"');
    expect(capsule.asked).toHaveLength(before);
  });

  test("lists are nobody else's to keep, even where they hold everything", async () => {
    const caller = new Caller(server, keyFor('acme'));
    const params = {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '0' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    };
    for (const method of ['tools/list', 'resources/templates/list']) {
      const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method };
      const { json } = await caller.post({ jsonrpc: '2.0', id: 1, method, params }, headers);
      expect(json.result).toMatchObject({ cacheScope: 'private', ttlMs: 0 });
    }
  });

  test('over HTTP+SSE the message itself is refused, and nothing runs', async () => {
    const old = await serve({ GOPHER_MCP_TRANSPORT: 'sse' });
    const authorization = `Bearer ${keyFor('acme', ['smallweb:read'])}`;
    const gone = new AbortController();
    const stream = await fetch(`${old.url}/sse`, { headers: { authorization }, signal: gone.signal });
    const reader = stream.body?.getReader();
    const path = /data: (\S+)/.exec(new TextDecoder().decode((await reader?.read())?.value))?.[1] ?? '';
    const send = (name: string): Promise<Response> =>
      fetch(old.url + path, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name, arguments: {} } }),
      });
    const refused = await send('gemini_trust_list');
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      403,
      expect.stringContaining('scope="smallweb:trust"'),
    ]);
    expect(await refused.json()).toMatchObject({ id: 5, error: { data: { code: 'FORBIDDEN' } } });
    expect((await send('gemini_fetch')).status).toBe(202);
    gone.abort();
    await old.close();
  });

  test('a tenant cannot have more than its file says, and asking for more does not help', async () => {
    const caller = new Caller(server, keyFor('reader'));
    const { json } = await caller.request('tools/list');
    expect(json.result.tools.map(({ name }: { name: string }) => name)).toEqual(['gemini_fetch']);
    for (const name of ['gemini_trust_list', 'gopher_fetch', 'gemini_client_cert_list']) {
      const answer = await caller.call(name, {});
      expect([answer.status, answer.json.error.code]).toEqual([200, -32602]);
    }
  });

  test.each(['umbrella', LOCAL_TENANT, 'Acme'])(
    'the tenant %s, which is not in the file, is refused',
    async (tenant) => {
      const answer = await new Caller(server, keyFor(tenant)).request('tools/list');
      expect([answer.status, answer.challenge, answer.json.error.data.code]).toEqual([403, null, 'FORBIDDEN']);
      expect(answer.text).not.toMatch(/acme|globex|reader/);
    },
  );
});

test('a change of the file counts while the server runs', async () => {
  const server = await serve();
  const caller = new Caller(server, keyFor('late'));
  expect((await caller.request('tools/list')).status).toBe(403);
  const tenants = { ...TENANTS.tenants, late: {} };
  await writeFile(`${folder.path}/tenants.json`, JSON.stringify({ tenants }));
  await until(async () => (await caller.request('tools/list')).status === 200);
  await server.close();
});

test('a file with mistakes stops the start, and each is told', async () => {
  await writeFile(
    `${folder.path}/tenants.json`,
    JSON.stringify({ tenants: { acme: { tool: [] }, globex: { scopes: ['x'] } } }),
  );
  await expect(serve()).rejects.toMatchObject({
    problems: [
      { name: 'GOPHER_MCP_TENANTS_FILE: tenants.acme.tool', requirement: expect.stringContaining('must be one of') },
      { name: 'GOPHER_MCP_TENANTS_FILE: tenants.globex.scopes', requirement: expect.stringContaining('"x"') },
    ],
  });
});
