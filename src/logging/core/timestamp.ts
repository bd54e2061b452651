/** An instant as records carry it: ISO-8601 UTC, microseconds, `Z`. `epochMs` may have a fraction. */
export function logTimestamp(epochMs: number): string {
  const wholeMs = Math.floor(epochMs);
  const micros = Math.floor((epochMs - wholeMs) * 1000);
  return `${new Date(wholeMs).toISOString().slice(0, -1)}${String(micros).padStart(3, '0')}Z`;
}
