/**
 * A page as lines for a terminal: headings, quotes and links in their styles, links numbered from 1, menu items with what they are.
 * Whatever a stranger wrote passes {@link printable} before a style is put around it.
 */
import type { JsonObject } from '../common/json.js';
import { ITEM_TYPES } from '../gopher/index.js';
import { numberField, objectField, objectsField, textField } from './payload-fields.js';
import { printable, printableLine, wrapWords } from './printable.js';
import type { Styles } from './styles.js';

/** How lines are made. */
export interface PageLook {
  readonly styles: Styles;
  /** Longest line; null = lines stay as they are. */
  readonly columns: number | null;
}

/** Columns that the kind of a menu item takes. */
const KIND_COLUMNS = 14;

/** The lines of a payload of any kind but `error`. */
export function pageLines(payload: JsonObject, look: PageLook): string[] {
  switch (textField(payload, 'kind')) {
    case 'menu':
      return menuLines(objectsField(payload, 'items'), look);
    case 'text':
      return textLines(textField(payload, 'text'));
    case 'success':
      return textLines(textField(payload, 'content'));
    case 'gemtext':
      return gemtextLines(objectField(payload, 'document'), look);
    case 'binary':
      return binaryLines(payload);
    case 'redirect':
      return [
        `Redirect (${payload['permanent'] === true ? 'permanent' : 'temporary'}) to:`,
        linkLine(1, textField(payload, 'new_url'), '', look),
      ];
    case 'input':
      return wrapped(`The capsule asks: ${textField(payload, 'prompt')}`, '', look);
    case 'certificate':
      return wrapped(`The capsule says: ${textField(payload, 'message')}`, '', look);
    default:
      return [];
  }
}

function menuLines(items: readonly JsonObject[], look: PageLook): string[] {
  const { styles } = look;
  let links = 0;
  return items.map((item) => {
    const type = textField(item, 'type');
    const title = printableLine(textField(item, 'title'));
    const url = textField(item, 'next_url');
    const indent = ' '.repeat(KIND_COLUMNS + 1);
    if (type === 'i' && url === '') return title === '' ? '' : indent + title;
    const kind = (type === '3' ? 'error' : (ITEM_TYPES.get(type)?.name ?? `type ${printableLine(type)}`)).slice(
      0,
      KIND_COLUMNS,
    );
    const head = `${styles.dim(kind.padStart(KIND_COLUMNS))} `;
    return url === '' ? head + title : head + linkLine(++links, title, url, look);
  });
}

function gemtextLines(document: JsonObject, look: PageLook): string[] {
  const { styles } = look;
  const lines = objectsField(document, 'lines');
  // The form "links" has no lines, only links.
  if (lines.length === 0) {
    return objectsField(document, 'links').map((link, index) => gemtextLink(index + 1, link, look));
  }
  let links = 0;
  return lines.flatMap((line) => {
    const content = textField(line, 'text') || textField(line, 'content');
    switch (textField(line, 'type')) {
      case 'heading1':
      case 'heading2':
      case 'heading3':
        return [styles.heading(`${'#'.repeat(numberField(line, 'level') ?? 1)} ${printableLine(content)}`)];
      case 'link':
        return [gemtextLink(++links, objectField(line, 'link'), look)];
      case 'list':
        return wrapped(content, '* ', look);
      case 'quote':
        return wrapped(content, '> ', look).map(styles.quote);
      case 'preformat':
        return printable(textField(line, 'content')).split('\n');
      default:
        return wrapped(content, '', look);
    }
  });
}

function gemtextLink(number: number, link: JsonObject, look: PageLook): string {
  return linkLine(number, textField(link, 'text'), textField(link, 'url'), look);
}

function linkLine(number: number, text: string, url: string, { styles }: PageLook): string {
  const [shown, target] = [printableLine(text), printableLine(url)];
  const label = shown === '' ? target : shown;
  return `${styles.dim(`[${number}]`)} ${styles.link(label)}${label === target || target === '' ? '' : `  ${styles.dim(target)}`}`;
}

function binaryLines(payload: JsonObject): string[] {
  const bytes = numberField(payload, 'bytes') ?? numberField(payload, 'size') ?? 0;
  const mime = objectField(payload, 'mime_type');
  const type = textField(payload, 'mime_type') || `${textField(mime, 'type')}/${textField(mime, 'subtype')}`;
  return [`${printableLine(type)}, ${bytes} bytes.`, textField(payload, 'note')];
}

/** Text files are laid out by their authors: they are not wrapped. */
function textLines(text: string): string[] {
  return printable(text).replace(/\n$/, '').split('\n');
}

function wrapped(text: string, mark: string, { columns }: PageLook): string[] {
  const room = columns === null ? null : Math.max(columns - mark.length, 20);
  return wrapWords(printableLine(text), room).map(
    (line, index) => (index === 0 || mark === '> ' ? mark : ' '.repeat(mark.length)) + line,
  );
}
