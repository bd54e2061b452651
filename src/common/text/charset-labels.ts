/**
 * Which charset a label names: a closed list, because a label is the peer's word. What is not in it has no decoder here,
 * whatever a library might offer (UTF-7, escape codecs, EBCDIC).
 *
 * The labels are those of the WHATWG Encoding Standard, with its meaning (`iso-8859-1` and `us-ascii` are windows-1252,
 * `gb2312` is GBK, ...), since that is what documents so labelled contain; and besides them the DOS code pages,
 * UTF-32 and the old Vietnamese sets, which the small web uses and the standard leaves out.
 *
 * @see https://encoding.spec.whatwg.org/#names-and-labels
 */

/** Canonical, lower-case name of the charset that `label` names (case and outer blanks do not matter); null if unknown. */
export function charsetNamed(label: string): string | null {
  const name = label.trim().toLowerCase();
  if (name.length > MAX_LABEL_UNITS) return null;
  return OTHER_LABELS.get(name) ?? codePageNamed(name) ?? standardNamed(name);
}

/** Whether `label` claims nothing beyond ASCII: then every byte of 80 and above contradicts it. */
export function isAsciiLabel(label: string): boolean {
  return ASCII_LABELS.has(label.trim().toLowerCase());
}

/** Longer than any label in use. */
const MAX_LABEL_UNITS = 40;

const ASCII_LABELS: ReadonlySet<string> = new Set([
  'us-ascii',
  'ascii',
  'us',
  'iso-ir-6',
  'iso646-us',
  'iso_646.irv:1991',
  'ansi_x3.4-1968',
  'ansi_x3.4-1986',
  'ibm367',
  'cp367',
  'csascii',
]);

/** Labels outside the standard, and two of its charsets that not every build of the runtime's converter has. */
const OTHER_LABELS: ReadonlyMap<string, string> = new Map([
  ['utf-32', 'utf-32'],
  ['utf32', 'utf-32'],
  ['utf-32le', 'utf-32le'],
  ['utf-32be', 'utf-32be'],
  ['iso-8859-16', 'iso-8859-16'],
  ['x-mac-cyrillic', 'x-mac-cyrillic'],
  ['x-mac-ukrainian', 'x-mac-cyrillic'],
  ['tcvn', 'tcvn'],
  ['tcvn-5712', 'tcvn'],
  ['tcvn5712-1', 'tcvn'],
  ['viscii', 'viscii'],
]);

const CODE_PAGES: ReadonlySet<string> = new Set(
  '437 737 775 850 852 855 857 858 860 861 862 863 864 865 866 869'.split(' '),
);

/** A DOS code page by its number: `cp437`, `IBM437`, `ibm-437`, `437`, `ibm00858`. */
function codePageNamed(name: string): string | null {
  const number = /^(?:cp|ibm)?[-_]?(?:00)?([0-9]{3})$/.exec(name)?.[1];
  return number !== undefined && CODE_PAGES.has(number) ? `cp${number}` : null;
}

/** The standard's name for a label, by the runtime's own table. */
function standardNamed(label: string): string | null {
  try {
    const name = new TextDecoder(label).encoding;
    // Not a charset of documents: the standard has it for one browser interface.
    return name === 'x-user-defined' ? null : name;
  } catch {
    return null;
  }
}
