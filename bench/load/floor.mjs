/**
 * The least that Node can do: MCP over stdio answered by hand, with no library, no check, no cache bound and no limit. It shows what
 * part of a figure is the machine's.
 */
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { connect as connectTls } from 'node:tls';

const caches = process.env.GOPHER_CACHE_ENABLED === 'true';
const cached = new Map();

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method !== 'tools/call')
    send(id, { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'floor', version: '0' } });
  else void call(id, params.arguments);
});

async function call(id, { url, urls }) {
  const pages = await Promise.all((urls ?? [url]).map(page));
  const content = pages.map((made) => ({ type: 'text', text: JSON.stringify(made, null, 2) }));
  send(id, { content, structuredContent: urls ? { result: pages } : pages[0], isError: false });
}

async function page(url) {
  const known = caches ? cached.get(url) : undefined;
  if (known) return known;
  const { protocol, hostname, port, pathname } = new URL(url);
  const bytes = await (protocol === 'gopher:'
    ? exchange(connect(Number(port), hostname), `${pathname.slice(2)}\r\n`)
    : exchange(connectTls({ host: hostname, port: Number(port), rejectUnauthorized: false }), `${url}\r\n`));
  const text = bytes.toString();
  const made = pathname.startsWith('/1')
    ? { kind: 'menu', items: text.split('\r\n').map(item) }
    : { kind: 'text', text };
  if (caches) cached.set(url, made);
  return made;
}

function item(line) {
  const [head = '', selector = '', host = '', port = ''] = line.split('\t');
  return {
    type: head[0],
    title: head.slice(1),
    selector,
    host,
    port: Number(port),
    next_url: `gopher://${host}:${port}/${head[0]}${selector}`,
  };
}

function exchange(socket, request) {
  return new Promise((resolve, reject) => {
    const chunks = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('end', () => resolve(Buffer.concat(chunks)));
    socket.on('error', reject);
    socket.write(request);
  });
}

function send(id, result) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
}
