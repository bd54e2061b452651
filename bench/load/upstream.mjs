/**
 * The Gopher hole and the Gemini capsule that contenders read from, in a process of its own: it answers at once, with bodies made
 * beforehand. Started with a certificate and its key as JSON on stdin; prints its two ports.
 *
 *   /text/BYTES/ANY   /menu/ITEMS/ANY   /gmi/BYTES/ANY   /slow/MS/BYTES/ANY
 */
import { createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { text } from 'node:stream/consumers';

const LINE = 'The quick brown fox jumps over the lazy dog, and the small web is read. ';
const GEMTEXT = [
  '# A heading\n',
  `${LINE}\n`,
  '=> /a/page.gmi A link to a page\n',
  '* an item of a list\n',
  '> a quote\n',
];
const bodies = new Map();

function body(kind, size) {
  const key = `${kind}/${size}`;
  let made = bodies.get(key);
  if (made === undefined) bodies.set(key, (made = Buffer.from(MAKERS[kind](size))));
  return made;
}

const MAKERS = {
  text: (bytes) => `${filled([`${LINE}\r\n`], bytes)}.\r\n`,
  menu: (items) =>
    `${Array.from({ length: items }, (_, i) => `0Item ${i} of the menu\t/dir/item${i}.txt\t127.0.0.1\t70\r\n`).join('')}.\r\n`,
  gmi: (bytes) => `20 text/gemini\r\n${filled(GEMTEXT, bytes)}`,
};

function filled(lines, bytes) {
  let made = '';
  for (let i = 0; made.length < bytes; i++) made += lines[i % lines.length];
  return made.slice(0, bytes);
}

function serve(socket, pathOf) {
  socket.on('error', () => socket.destroy());
  socket.once('data', (request) => {
    const [, kind, first, second] = pathOf(request.toString('latin1').trim()).split('/');
    if (kind === 'slow') setTimeout(() => socket.end(body('text', Number(second))), Number(first));
    else if (kind in MAKERS) socket.end(body(kind, Number(first)));
    else socket.end();
  });
}

const { certPem, keyPem } = JSON.parse(await text(process.stdin));
const gopher = createServer({ noDelay: true }, (socket) => serve(socket, (line) => line));
const gemini = createTlsServer({ cert: certPem, key: keyPem }, (socket) =>
  serve(socket, (line) => new URL(line).pathname),
);
gemini.on('tlsClientError', () => undefined);
gopher.listen(0, '127.0.0.1', () =>
  gemini.listen(0, '127.0.0.1', () => process.stdout.write(`${gopher.address().port} ${gemini.address().port}\n`)),
);
