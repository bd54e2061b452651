/**
 * Removes `.` and `..` from a path that begins with `/` (RFC 3986 section 5.2.4); nothing goes above the root. Empty
 * segments are segments: `//a` stays, and `/a//..` is `/a/`.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3986#section-5.2.4
 */
export function removeDotSegments(path: string): string {
  if (!path.includes('/.')) return path;
  const segments = path.split('/');
  const last = segments.length - 1;
  const kept: string[] = [];
  for (let i = 1; i <= last; i++) {
    const segment = segments[i] ?? '';
    if (segment === '..') kept.pop();
    else if (segment !== '.') kept.push(segment);
    if (i === last && (segment === '.' || segment === '..')) kept.push('');
  }
  return `/${kept.join('/')}`;
}
