/** Shorter forms of a menu, for readers who want no table of fields. */
import { STRIDE, type Steps } from '../../common/steps.js';
import { categoryOf } from './item-types.js';
import { MenuItems, type MenuItem, type MenuOrigin, type MenuSource } from './menu.js';

/** Whether one of our own tools can fetch what the item points to. */
export function isFetchable({ type, next_url: url }: MenuItem): boolean {
  return url.startsWith('gemini://') || (url.startsWith('gopher://') && categoryOf(type) !== 'interactive');
}

/** The menu as a page: its lines, each link numbered and with its URL behind it. */
export function* menuAsText(source: MenuSource, origin: MenuOrigin): Steps<string> {
  const lines: string[] = [];
  let links = 0;
  const items = new MenuItems(source, origin);
  for (let item = items.next(); item !== null; item = items.next()) {
    if (lines.length % STRIDE === 0) yield;
    lines.push(item.next_url === '' ? item.title : `[${++links}] ${item.title} <${item.next_url}>`);
  }
  yield;
  return page(lines);
}

/**
 * The menu without its prose: the links, and above each group of them the line of text that introduces it. Rulers and
 * drawings, which hold neither letters nor digits, introduce nothing.
 */
export function* menuOutline(source: MenuSource, origin: MenuOrigin): Steps<string> {
  const lines: string[] = [];
  let heading = '';
  const items = new MenuItems(source, origin);
  let count = 0;
  for (let item = items.next(); item !== null; item = items.next()) {
    if (++count % STRIDE === 0) yield;
    const { title, next_url: url } = item;
    if (url === '') {
      if (WORDS.test(title)) heading = title.trim();
      continue;
    }
    if (heading !== '') lines.push(heading);
    heading = '';
    lines.push(`- ${title.trim()} <${url}>`);
  }
  yield;
  return page(lines);
}

function page(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

const WORDS = /[\p{L}\p{N}]/u;
