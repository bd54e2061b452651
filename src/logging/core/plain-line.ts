/**
 * Records for people: `2026-01-31T12:00:00.000000Z warning  event in words  name=value name="with blanks"`. What a peer or a
 * caller put into a field can neither start a new line nor move the cursor.
 */
import { escapeControls, quote } from '../../common/text/quote.js';

/** Turns one record (a JSON object on a line) into a plain line that ends with a line feed. Other text is kept, made safe. */
export function plainLine(record: string): string {
  const members = parseObject(record);
  if (members === null) return `${escapeControls(record.trimEnd())}\n`;
  const { timestamp, level, event, ...fields } = members;
  const head = `${text(timestamp)} ${text(level).padEnd(LEVEL_WIDTH)} ${escapeControls(text(event))}`;
  const tail = Object.entries(fields).map(([name, value]) => ` ${escapeControls(name)}=${fieldText(value)}`);
  return `${head}${tail.length === 0 ? '' : ' '}${tail.join('')}\n`;
}

/** Length of the longest level, `critical`. */
const LEVEL_WIDTH = 8;

function parseObject(record: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(record);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Bare where nobody can take it for something else. */
function fieldText(value: unknown): string {
  if (typeof value !== 'string') return escapeControls(JSON.stringify(value));
  return /^[^\s"=]+$/.test(value) ? escapeControls(value) : quote(value);
}
