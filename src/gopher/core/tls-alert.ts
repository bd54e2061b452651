/**
 * Tells the one thing that a TLS server says to a Gopher request: an alert, and nothing else. It has seven bytes that no text and no
 * menu consists of, so an address that belongs to Gemini (or to HTTPS) is not shown as a page of two strange characters.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8446#section-6
 */

/** Whether `body` is one TLS alert record and nothing more. */
export function isTlsAlert(body: Uint8Array): boolean {
  const [contentType, major, minor = 0, high, low, level] = body;
  return (
    body.length === ALERT_BYTES &&
    contentType === ALERT &&
    major === 3 &&
    minor <= 4 &&
    high === 0 &&
    low === 2 &&
    (level === WARNING || level === FATAL)
  );
}

/** Header of a record, level, description. */
const ALERT_BYTES = 7;
const ALERT = 21;
const WARNING = 1;
const FATAL = 2;
