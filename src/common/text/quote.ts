/**
 * Text from outside on its way to a terminal or a log: readable as it stands, unable to move the cursor, to forge a second
 * line or to turn the reading order round.
 */

/**
 * Replaces every control, format, surrogate, private-use and line-separating character (Unicode Cc, Cf, Cs, Co, Zl, Zp) by
 * its `\uXXXX` escape; everything else stays.
 */
export function escapeControls(text: string): string {
  return text.replace(UNSAFE, escapeCharacter);
}

/** `text` in double quotes, as JSON writes it, with all that {@link escapeControls} escapes escaped as well. */
export function quote(text: string): string {
  return escapeControls(JSON.stringify(text));
}

const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

function escapeCharacter(character: string): string {
  let escaped = '';
  for (let i = 0; i < character.length; i++) {
    escaped += String.raw`\u` + character.charCodeAt(i).toString(16).padStart(4, '0');
  }
  return escaped;
}
