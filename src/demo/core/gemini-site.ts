/**
 * The demo's Gemini capsule: gemtext with every kind of line, a gemlog with its feeds, questions, a zone for client certificates,
 * redirects, failures, and pages that show how a client behaves.
 *
 * @see Gemini network protocol specification 0.24.1, sections "Requests" and "Status codes"
 */
import {
  ESCAPES,
  largeText,
  PIXEL_GIF,
  POSTS,
  ROBOTS,
  SLOW_MS,
  type Answer,
  type DemoPlace,
  type Post,
} from './sample.js';

/** Longest request: a URL of 1024 bytes and its line end. */
export const MAX_REQUEST_BYTES = 1026;

/** A request as it arrived. */
export interface CapsuleRequest {
  /** The line without its end. */
  readonly line: string;
  /** SHA-256 of the client's certificate; null when it showed none. */
  readonly clientFingerprint: string | null;
}

const HOME = `# The demo capsule of gopher-mcp

It is served on your own machine: everything here can be tried without a network.

## To read
=> /gemlog/ The gemlog
=> /gemlog/atom.xml Its Atom feed
=> /lines Every kind of line
=> /notes.txt A plain text

## To answer
=> /ask A question
=> /secret A question whose answer is a secret
=> /members/ A zone that wants to know you again: it needs a client certificate

## How does a client behave?
=> /large A long page, in windows
=> /slow A slow page
=> /redirect A redirect
=> /elsewhere A redirect to another protocol
=> /escapes Escape sequences
=> /private/diary A page that robots.txt closes
=> /pixel.gif A picture
=> /busy A server that asks to slow down
=> /gone A page that is gone
`;

const LINES = `# A heading
## A heading below it
### And one below that

A line of text. It is as long as its author made it, and the client breaks it where its window ends.

* an item of a list
* another one

> A line that somebody else wrote.

\`\`\` a drawing
   /\\_/\\
  ( o.o )
   > ^ <
\`\`\`

=> / A link to a page of this capsule
=> https://example.org/ A link to the web
`;

/** The answer to one request. Anything but a URL of this capsule is refused, as the protocol wants it. */
export function answerGemini({ line, clientFingerprint }: CapsuleRequest, place: DemoPlace): Answer {
  const url = URL.canParse(line) ? new URL(line) : null;
  if (url === null || url.protocol !== 'gemini:') return status(59, 'This is not a Gemini URL');
  if (url.port !== String(place.geminiPort) && !(url.port === '' && place.geminiPort === 1965)) {
    return status(53, 'This capsule serves its own pages only');
  }
  const answer = url.search === '' ? null : decoded(url.search.slice(1));
  const post = POSTS.find(({ slug }) => url.pathname === `/gemlog/${slug}.gmi`);
  if (post !== undefined)
    return gemtext(`# ${post.title}\n${post.date}\n\n${post.paragraphs.join('\n\n')}\n\n=> /gemlog/ Back\n`);
  switch (url.pathname) {
    case '':
    case '/':
      return gemtext(`${HOME}\n=> gopher://${place.host}:${place.gopherPort}/ The Gopher hole beside this capsule\n`);
    case '/lines':
      return gemtext(LINES);
    case '/notes.txt':
      return page('text/plain; charset=utf-8', 'Notes\n\nA plain text has no links.\n');
    case '/gemlog':
      return status(31, '/gemlog/');
    case '/gemlog/':
      return gemtext(gemlog());
    case '/gemlog/atom.xml':
      return page('application/atom+xml', atom(place));
    case '/ask':
      return answer === null
        ? status(10, 'What is your favourite burrowing animal?')
        : gemtext(`# Thank you\nYou said: ${oneLine(answer)}\n`);
    case '/secret':
      return answer === null
        ? status(11, 'Say the magic word')
        : gemtext('# Thank you\nThe word is kept to ourselves.\n');
    case '/members':
    case '/members/':
      return members(clientFingerprint);
    case '/large':
      return gemtext(`# A long page\n${largeText()}\n`);
    case '/slow':
      return { ...gemtext('# At last\nThis page took its time.\n'), delayMs: SLOW_MS };
    case '/redirect':
      return status(30, '/lines');
    case '/elsewhere':
      return status(31, `gopher://${place.host}:${place.gopherPort}/`);
    case '/escapes':
      return gemtext(`# Escape sequences\n${ESCAPES}`);
    case '/private/diary':
      return gemtext('You should not read this: robots.txt asks programs to stay away.\n');
    case '/robots.txt':
      return page('text/plain', ROBOTS);
    case '/pixel.gif':
      return page('image/gif', PIXEL_GIF);
    case '/busy':
      return status(44, '5');
    case '/gone':
      return status(52, 'This page is gone for good');
    default:
      return status(51, 'There is no such page here');
  }
}

function members(fingerprint: string | null): Answer {
  if (fingerprint === null) return status(60, 'Show a certificate to come in; a new one will do');
  return gemtext(`# Members\nWelcome back. You are known here by the certificate ${fingerprint}.\n\n=> / Leave\n`);
}

/** A gemlog whose index is its own feed. @see gemini://geminiprotocol.net/docs/companion/subscription.gmi */
function gemlog(): string {
  const links = POSTS.map(({ date, slug, title }) => `=> /gemlog/${slug}.gmi ${date} ${title}\n`).join('');
  return `# The demo gemlog\n## Small thoughts\n\n${links}\n=> / Home\n`;
}

/** @see RFC 4287 */
function atom({ host, geminiPort }: DemoPlace): string {
  const base = `gemini://${host}:${geminiPort}/gemlog/`;
  const entry = ({ date, slug, title, paragraphs }: Post): string =>
    `  <entry>\n    <title>${title}</title>\n    <id>${base}${slug}.gmi</id>\n    <link href="${base}${slug}.gmi"/>\n` +
    `    <updated>${date}T00:00:00Z</updated>\n    <summary>${paragraphs.join(' ')}</summary>\n  </entry>\n`;
  return (
    `<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n  <title>The demo gemlog</title>\n` +
    `  <id>${base}</id>\n  <updated>${POSTS[0]?.date ?? '2026-01-01'}T00:00:00Z</updated>\n${POSTS.map(entry).join('')}</feed>\n`
  );
}

function gemtext(body: string): Answer {
  return page('text/gemini; lang=en', body);
}

function page(mediaType: string, body: string | Uint8Array): Answer {
  return {
    body: Buffer.concat([Buffer.from(`20 ${mediaType}\r\n`), typeof body === 'string' ? Buffer.from(body) : body]),
  };
}

function status(code: number, meta: string): Answer {
  return { body: `${code} ${meta}\r\n` };
}

function decoded(query: string): string {
  try {
    return decodeURIComponent(query);
  } catch {
    return query;
  }
}

/** An answer must not become lines of the page that repeats it. */
function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f]/g, ' ').slice(0, 200);
}
