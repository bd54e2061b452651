/**
 * The tree that the Gemini servers serve: a Map from path to { bytes, executable }. molly-brown and jetforce run the scripts of
 * cgi-bin/; agate has none and reads `.meta` files; molly-brown reads `.molly` files.
 */
import { everyByte, GIF, JPEG, noise, png, sentence } from './media.mjs';

const STATUSES = [10, 11, 20, 30, 31, 40, 41, 42, 43, 44, 50, 51, 52, 53, 59, 60, 61, 62];
const SCRIPTS = 'loopa loopb xproto xweb slow drip cert env latin1 quoted nomime badutf8'.split(' ');

const INDEX = (host, ports) => `# Test capsule

> A quotation
A paragraph with é ü 日本語 🚀.
* first
* second

## Links
=> /gemlog/ Gemlog
=>gemlog/atom.xml	Feed, after a tab and without a space behind the arrow
=> text/utf8.txt
=> /fr/ En français
=> /img/pixel.png Picture
=> /big.gmi More than one MiB
=> /bin/big.bin One and a half MiB
=> /private/secret.gmi Forbidden by robots.txt
=> //localhost/rel Without a scheme
=> ?query Only a query
=> #fragment Only a fragment
=> ../up/../index.gmi Dots
=> gopher://${host}:${ports.gophernicus}/1/ Gopher
=> https://example.org/ Web
=> mailto:nobody@example.org Mail
=>

### Answers made by a script
${STATUSES.map((status) => `=> /cgi-bin/s${status} ${status}`).join('\n')}
=> /cgi-bin/cert Asks for a certificate
=> /certzone/ Only for the test certificate (molly-brown)
=> /redir/temp 30
=> /redir/perm 31
=> /loop/a A loop
\`\`\`alternative text
  # not a heading
=> not a link
	tab
\`\`\`
#### four
\`\`\` never closed
the end
`;

const ROBOTS = `User-agent: *
Disallow: /private/

User-agent: webproxy
Disallow: /noproxy/

User-agent: indexer
Disallow: /noindex/

User-agent: ClaudeBot
Disallow: /aibot/
`;

const SCRIPT = String.raw`#!/bin/sh
query="$QUERY_STRING"
case "${'${0##*/}'}" in
s10) if [ -n "$query" ]; then printf '20 text/gemini\r\n# You said %s\n' "$query"; else printf '10 Say something\r\n'; fi ;;
s11) if [ -n "$query" ]; then printf '20 text/gemini\r\n# %s secret bytes\n' "${'${#query}'}"; else printf '11 A secret\r\n'; fi ;;
s20) printf '20 text/gemini; lang=de; charset=utf-8\r\n# Hallo\nquery=%s\n' "$query" ;;
s30) printf '30 /text/plain.txt\r\n' ;;
s31) printf '31 ../gemlog/\r\n' ;;
s40) printf '40 later\r\n' ;;
s41) printf '41 under maintenance\r\n' ;;
s42) printf '42 the script failed\r\n' ;;
s43) printf '43 the upstream failed\r\n' ;;
s44) printf '44 2\r\n' ;;
s50) printf '50 never\r\n' ;;
s51) printf '51 the script knows no such page\r\n' ;;
s52) printf '52 removed\r\n' ;;
s53) printf '53 not a proxy\r\n' ;;
s59) printf '59 what was that\r\n' ;;
s60) printf '60 a certificate, please\r\n' ;;
s61) printf '61 not this certificate\r\n' ;;
s62) printf '62 an invalid certificate\r\n' ;;
loopa) printf '30 /cgi-bin/loopb\r\n' ;;
loopb) printf '30 /cgi-bin/loopa\r\n' ;;
xproto) printf '30 gopher://example.org/0/text.txt\r\n' ;;
xweb) printf '30 https://example.org/\r\n' ;;
slow) sleep 3; printf '20 text/plain\r\nthree seconds later\n' ;;
drip) printf '20 text/plain\r\n'; for drop in 1 2 3 4 5 6; do echo "drop $drop"; sleep 0.3; done ;;
cert) if [ -n "$TLS_CLIENT_HASH" ]; then printf '20 text/plain\r\nhash=%s\n' "$TLS_CLIENT_HASH"; else printf '60 who are you\r\n'; fi ;;
env) printf '20 text/plain\r\n'; env | sort ;;
latin1) printf '20 text/plain; charset=iso-8859-1\r\nCaf\351\n' ;;
quoted) printf '20 text/gemini; charset="UTF-8"; lang="en,fr"\r\n# Quoted parameters\n' ;;
nomime) printf '20 \r\n# No media type\n' ;;
badutf8) printf '20 text/gemini\r\n# not \377\376 UTF-8\n' ;;
esac
`;

/** Whole headers and media types for agate, by path. */
const AGATE_META = `text/latin1.txt: text/plain;charset=iso-8859-1
gone.gmi: 52 removed for good
slow.gmi: 44 2
redir/temp: 30 /text/plain.txt
redir/perm: 31 /gemlog/
loop/a: 30 /loop/b
loop/b: 30 /loop/a
input: 10 Say something
secret: 11 A secret
cert: 60 a certificate, please
`;

const POSTS = [
  ['2026-03-01', 'Third post'],
  ['2026-02-14', 'Second post'],
  ['2025-12-31', 'First post'],
];

/** Menus link from one server to another: `ports` by server name, on `host`. */
export function geminiTree(host, ports) {
  const tree = new Map();
  const put = (path, content, executable = false) => tree.set(path, { bytes: Buffer.from(content), executable });

  put('index.gmi', INDEX(host, ports));
  put('robots.txt', ROBOTS);
  put('private/secret.gmi', '# Secret\n');
  put('noproxy/x.gmi', '# Not for proxies\n');
  put('noindex/x.gmi', '# Not for indexers\n');
  put('aibot/x.gmi', '# Not for AI crawlers\n');
  put('.meta', AGATE_META);

  put(
    'gemlog/index.gmi',
    `# A gemlog\n## of three posts\n\n${POSTS.map(([date, title]) => `=> ${date}-post.gmi ${date} - ${title}\n`).join('')}` +
      '=> about.gmi About\n=> old.gmi 2025-13-45 Not a date\n',
  );
  for (const [index, [date, title]] of POSTS.entries()) {
    put(`gemlog/${date}-post.gmi`, `# ${title}\n\n${sentence(40, index + 1)}\n\n=> ./ Back\n`);
  }
  put('gemlog/about.gmi', '# About\n');
  put('gemlog/atom.xml', atomFeed());
  put('gemlog/rss.xml', rssFeed());
  put('twtxt.txt', '2026-03-01T10:00:00Z\thello twtxt\n');
  put('fr/index.gmi', '# Bonjour\nUne page en français.\n');
  put('fr/.molly', 'DefaultLang = "fr"\n');
  put('fr/.meta', '*: ;lang=fr\n');

  put('text/plain.txt', 'plain\r\ntext\r\n');
  put('text/utf8.txt', 'Café 日本語 🚀\n');
  put('text/latin1.txt', Buffer.from('Café\n', 'latin1'));
  put('text/crlf.gmi', '# CRLF\r\n=> /a\tb\r\n* x\r\n');
  put('text/control.gmi', '# ansi \x1b[31mred\x1b[0m bidi \u202eabc\u202c\n=> /x \u202etxt.exe\n');
  put('text/empty.gmi', '');
  put('text/md.md', '# Markdown\n');
  put('text/data.json', '{"a": [1, 2]}\n');
  put('big.gmi', longPage(1_300_000));
  put('bin/all.bin', everyByte());
  put('bin/big.bin', noise(1_572_864, 1965));
  put('img/pixel.png', png());
  put('img/pixel.gif', GIF);
  put('img/pixel.jpg', JPEG);
  put('listing/a.gmi', '# The title is taken from the file\n');
  put('listing/b c.txt', 'space\n');
  put('listing/ü.txt', 'umlaut\n');
  put('certzone/index.gmi', '# For holders of the test certificate\n');
  for (const status of STATUSES) put(`cgi-bin/s${status}`, SCRIPT, true);
  for (const name of SCRIPTS) put(`cgi-bin/${name}`, SCRIPT, true);
  return tree;
}

function atomFeed() {
  const entries = POSTS.map(
    ([date, title]) =>
      `<entry><title>${title} &amp; more</title><id>gemini://localhost/gemlog/${date}-post.gmi</id>` +
      `<link href="gemini://localhost/gemlog/${date}-post.gmi"/><updated>${date}T00:00:00Z</updated></entry>`,
  );
  return (
    '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"><title>A gemlog</title>' +
    `<id>gemini://localhost/gemlog/</id><updated>2026-03-01T00:00:00Z</updated>${entries.join('')}</feed>\n`
  );
}

function rssFeed() {
  const items = POSTS.map(
    ([date, title]) => `<item><title>${title}</title><link>gemini://localhost/gemlog/${date}-post.gmi</link></item>`,
  );
  return `<?xml version="1.0"?>\n<rss version="2.0"><channel><title>A gemlog</title>${items.join('')}</channel></rss>\n`;
}

function longPage(minimumBytes) {
  const parts = [];
  for (let bytes = 0, index = 0; bytes < minimumBytes; index += 1) {
    const part = `## Part ${index}\n${sentence(30, index + 1)}\n=> /part${index} ${sentence(3, index + 7)}\n`;
    parts.push(part);
    bytes += part.length;
  }
  return parts.join('');
}
