/** Display sanitiser. */

/** Bodies: keeps LF TAB CR. */
export function sanitizeText(text: string): string {
  return text.replace(DROP_BODY, '');
}

/** Single fields: also loses white-space controls. */
export function sanitizeField(text: string): string {
  return text.replace(DROP_FIELD, '');
}

/** Whether {@link sanitizeField} would change `text`. */
export function hasDroppable(text: string): boolean {
  return sanitizeField(text) !== text;
}

const DROP_BODY = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?![\t\n\r\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;
const DROP_FIELD = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;
