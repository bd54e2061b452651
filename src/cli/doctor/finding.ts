/** What a check found. */
export interface Finding {
  /** What was looked at, in a word or two. */
  readonly name: string;
  /** `warn`: it works, but not as one may expect; `fail`: something that was asked for does not work. */
  readonly level: 'ok' | 'warn' | 'fail';
  /** What is the case. */
  readonly text: string;
  /** What to do about it; absent when nothing is. */
  readonly remedy?: string;
}

/** All is well. */
export function fine(name: string, text: string): Finding {
  return { name, level: 'ok', text };
}

/** Something that deserves a look. */
export function doubtful(name: string, text: string, remedy: string): Finding {
  return { name, level: 'warn', text, remedy };
}

/** Something that does not work. */
export function broken(name: string, text: string, remedy: string): Finding {
  return { name, level: 'fail', text, remedy };
}
