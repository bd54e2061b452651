/**
 * The tree that both Gopher servers serve: a Map from path to { bytes, executable }. Menus are gophermaps, in which a line
 * without a tab is an info line and a missing host means "this server".
 */
import { everyByte, GIF, JPEG, noise, PDF, png, sentence, tarGz, wav } from './media.mjs';

const MENU = (host, ports) => `Gopher test tree. A line without a tab is an info line.

0Text, LF	/text/lf.txt
0Text, CRLF	/text/crlf.txt
0Text, Latin-1	/text/latin1.txt
0Text, Windows-1252	/text/cp1252.txt
0Text, UTF-8: é ü 日本語 🚀	/text/utf8.txt
0Text, UTF-8 with a byte order mark	/text/utf8bom.txt
0Text, UTF-16	/text/utf16.txt
0Lines of 4000 characters	/text/longlines.txt
0Lines that start with dots	/text/dots.txt
0A lone dot in the middle	/text/lonedot.txt
0Empty	/text/empty.txt
0No line end at the end	/text/nonl.txt
0Control characters	/text/control.txt
0More than one MiB	/text/big.txt
1A folder	/sub
1A folder with a space in its name	/sub/with space
1600 files	/many
12000 links	/longmap
gGIF	/img/pixel.gif
IPNG	/img/pixel.png
IJPEG	/img/pixel.jpg
sSound	/bin/beep.wav
9All byte values	/bin/all.bin
9One and a half MiB	/bin/big.bin
5Archive	/bin/a.tar.gz
dPDF	/bin/doc.pdf
hHTML	/page.html
hA page on the web	URL:https://example.org/?a=1&b=2
hA capsule	URL:gemini://localhost:${ports.molly}/
7Search	/cgi-bin/search
0A script	/cgi-bin/hello
0A script that takes three seconds	/cgi-bin/slow
8Telnet	guest	example.org	23
1The other server	/	${host}	${ports.pygopherd}
0Not there	/text/nosuch.txt
0Forbidden by robots.txt	/private/secret.txt
3An error line		error.host	1
`;

const ROBOTS = `# for the robots gate
User-agent: *
Disallow: /private

User-agent: GPTBot
User-agent: ClaudeBot
Disallow: /aibot
`;

/** Gophernicus hands the search terms over as QUERY_STRING, pygopherd as SEARCHREQUEST. */
const SCRIPT = `#!/bin/sh
terms="\${QUERY_STRING:-$SEARCHREQUEST}"
case "\${0##*/}" in
search)
  printf 'iSearched for: %s\\t\\terror.host\\t1\\r\\n' "$terms"
  printf '0First hit: %s\\t/text/lf.txt\\t%s\\t%s\\r\\n' "$terms" "\${SERVER_NAME:-127.0.0.1}" "\${SERVER_PORT:-70}"
  ;;
slow) sleep 3; echo 'three seconds later' ;;
*) echo "a script answers, terms=[$terms]" ;;
esac
`;

/** Menus link from one server to another: `ports` by server name, on `host`. */
export function gopherTree(host, ports) {
  const tree = new Map();
  const put = (path, content, executable = false) => tree.set(path, { bytes: Buffer.from(content), executable });
  const latin1 = (text) => Buffer.from(text, 'latin1');

  put('gophermap', MENU(host, ports));
  put('robots.txt', ROBOTS);
  put('private/secret.txt', 'a robot must not see this\n');
  put('aibot/x.txt', 'not for AI crawlers\n');

  put('text/lf.txt', 'first\nsecond\n\nlast\n');
  put('text/crlf.txt', 'first\r\nsecond\r\n\r\nlast\r\n');
  put('text/latin1.txt', latin1('Garçon, un café crème: £2 für alle\n'));
  put(
    'text/cp1252.txt',
    Buffer.from([0x93, ...Buffer.from('quoted'), 0x94, 0x20, 0x96, 0x20, 0x80, ...Buffer.from('5\n')]),
  );
  put('text/utf8.txt', 'Café crème, Grüße, £ €, 日本語, 🚀, e\u0301 combined\n');
  put('text/utf8bom.txt', '\ufeffafter a byte order mark\n');
  put('text/utf16.txt', Buffer.from('\ufeffsixteen bits each\n', 'utf16le'));
  put('text/longlines.txt', Array.from({ length: 5 }, (_, line) => `${String(line).repeat(4000)}\n`).join(''));
  put('text/dots.txt', '.profile\n..two\n... three\n.\ttab\n. \nend\n');
  put('text/lonedot.txt', 'before\n.\nafter\n');
  put('text/empty.txt', '');
  put('text/nonl.txt', 'no line end');
  put('text/control.txt', 'red \x1b[31mRED\x1b[0m bell \x07 nul \0 bidi \u202eabc\u202c zero\u200bwidth\ttab\n');
  put('text/big.txt', longText(1_258_291));

  put('page.html', '<html><head><title>Page</title></head><body><p>See the <a href="/">menu</a>.</p></body></html>\n');
  put('img/pixel.gif', GIF);
  put('img/pixel.png', png());
  put('img/pixel.jpg', JPEG);
  put('bin/beep.wav', wav());
  put('bin/all.bin', everyByte());
  put('bin/big.bin', noise(1_572_864, 70));
  put('bin/a.tar.gz', tarGz());
  put('bin/doc.pdf', PDF);

  put('sub/readme.txt', 'in a folder\n');
  put('sub/deeper/leaf.txt', 'a leaf\n');
  put('sub/with space/a file.txt', 'spaces in the selector\n');
  put('sub/über.txt', 'beyond ASCII in the selector\n');
  put('sub/100%25.txt', 'percent signs in the selector\n');
  for (let index = 0; index < 600; index += 1) put(`many/${fileName(index)}`, `file ${index}\n`);
  put(
    'longmap/gophermap',
    Array.from({ length: 2000 }, (_, index) => `0Link ${index}\t/many/${fileName(index % 600)}\n`).join(''),
  );
  for (const name of ['search', 'hello', 'slow']) put(`cgi-bin/${name}`, SCRIPT, true);
  return tree;
}

function fileName(index) {
  return `file${String(index).padStart(4, '0')}.txt`;
}

function longText(minimumBytes) {
  const lines = [];
  for (let bytes = 0, seed = 1; bytes < minimumBytes; seed += 1) {
    const line = `${sentence(10, seed)}\n`;
    lines.push(line);
    bytes += line.length;
  }
  return lines.join('');
}
