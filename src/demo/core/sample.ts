/** What the pages of both demo servers share. */

/** Where the two servers can be reached: what pages need for their links. */
export interface DemoPlace {
  readonly host: string;
  readonly gopherPort: number;
  readonly geminiPort: number;
}

/** One answer on the wire. */
export interface Answer {
  readonly body: string | Uint8Array;
  /** How long the server waits before it answers, in milliseconds. */
  readonly delayMs?: number;
}

/** Delay of the slow pages: long enough to see that something is under way. */
export const SLOW_MS = 3000;

/** An entry of the log that both servers carry. */
export interface Post {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly slug: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
}

/** The log, newest first. */
export const POSTS: readonly Post[] = [
  {
    date: '2026-11-20',
    slug: 'small-pages',
    title: 'On small pages',
    paragraphs: [
      'A page that holds one thought can be read in a minute and kept for years.',
      'Nothing on it moves. It asks for nothing, and it is done when it ends.',
    ],
  },
  {
    date: '2026-10-04',
    slug: 'a-menu-is-a-map',
    title: 'A menu is a map',
    paragraphs: [
      'Gopher lists what there is and says of each thing what it is: a text, a menu, a search, a picture.',
      'You know where a step leads before you take it.',
    ],
  },
  {
    date: '2026-09-12',
    slug: 'first-entry',
    title: 'First entry',
    paragraphs: ['This log lives on a demo server. It will be gone when the server stops, and back when it starts.'],
  },
];

/** What somebody would send to take a terminal over: colours, a title, a cleared screen, a link, text that runs backwards. */
export const ESCAPES =
  'Between these marks stand terminal escape sequences:\n' +
  '[\u001b[31mred\u001b[0m] [\u001b]0;a new window title\u0007] [\u001b[2J\u001b[H] [\u009b5m] [\u202etxet desrever\u202c]\n' +
  'A client that passes them on lets a stranger draw on your screen. You should see plain words only.\n';

const LARGE_LINES = 4000;

/** A text of about 300 KB: more than one answer holds. */
export function largeText(): string {
  return Array.from(
    { length: LARGE_LINES },
    (_, index) => `Line ${index + 1} of ${LARGE_LINES}. A long page comes in windows; each says where to go on.`,
  ).join('\n');
}

/** A picture of one pixel. */
export const PIXEL_GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** What robots.txt says on both servers: all but one folder is open. */
export const ROBOTS = 'User-agent: *\nDisallow: /private\nDisallow: /0/private\n';
