/**
 * Gopher item types: the one character in front of a menu line and after the first slash of a gopher URL.
 *
 * The category alone decides how an answer is read; media types come from content, never from a type or a file name.
 * A type that is not in the table is text: servers invent types freely, and most of what they serve is readable.
 *
 * @see RFC 1436 section 3.8; the letters beyond it are conventions of later servers.
 */

/** How the answer to a request of some type is read. */
export type ItemCategory = 'menu' | 'text' | 'binary' | 'interactive';

interface ItemType {
  readonly category: ItemCategory;
  /** What it is, for messages. */
  readonly name: string;
}

/** Every type with a meaning of its own. */
export const ITEM_TYPES: ReadonlyMap<string, ItemType> = new Map([
  // A plain text file, framed by a lone dot.
  ['0', { category: 'text', name: 'text file' }],
  ['1', { category: 'menu', name: 'menu' }],
  // A CSO phone book: a dialogue in a protocol of its own.
  ['2', { category: 'interactive', name: 'CSO phone book' }],
  // An error line of a menu; its selector, host and port are fillers.
  ['3', { category: 'text', name: 'error' }],
  // BinHex, DOS archive and uuencoded files of the early Macintosh, PC and Unix days.
  ['4', { category: 'binary', name: 'BinHex file' }],
  ['5', { category: 'binary', name: 'archive' }],
  ['6', { category: 'binary', name: 'uuencoded file' }],
  // Answers a search with a menu.
  ['7', { category: 'menu', name: 'search' }],
  ['8', { category: 'interactive', name: 'telnet session' }],
  ['9', { category: 'binary', name: 'binary file' }],
  // A mirror of the item before it; what it serves is known only once it has arrived.
  ['+', { category: 'text', name: 'mirror' }],
  ['T', { category: 'interactive', name: 'tn3270 session' }],
  ['g', { category: 'binary', name: 'GIF image' }],
  ['I', { category: 'binary', name: 'image' }],
  // Text that is a line of the menu itself and normally leads nowhere.
  ['i', { category: 'text', name: 'information' }],
  // Returned as it stands, tags and all; also the type of links to the web.
  ['h', { category: 'text', name: 'HTML page' }],
  ['d', { category: 'binary', name: 'document' }],
  ['s', { category: 'binary', name: 'sound' }],
  [';', { category: 'binary', name: 'video' }],
  ['p', { category: 'binary', name: 'PNG image' }],
  ['P', { category: 'binary', name: 'PDF document' }],
  // Gopher+ bitmap and sound.
  [':', { category: 'binary', name: 'bitmap' }],
  ['<', { category: 'binary', name: 'sound' }],
  // A mail in MIME form, attachments included.
  ['M', { category: 'binary', name: 'MIME message' }],
]);

/** How the answer to a request of this type is read; `text` for a type without a meaning of its own. */
export function categoryOf(type: string): ItemCategory {
  return ITEM_TYPES.get(type)?.category ?? 'text';
}
