/** Tells allowed differences from others. */
import type { Difference } from './comparison.js';
import type { Deviation } from './scenario-format.js';
import { isArray, type JsonObject } from './json.js';

export interface Verdict {
  /** Differences that no deviation covers. */
  readonly failures: readonly Difference[];
  /** Why the others are fine. */
  readonly reasons: ReadonlySet<string>;
}

/** @param isAsExpected whether the answer looks like this better one, in the members that it names */
export function judge(
  deviations: readonly Deviation[],
  step: number | 'state_files',
  differences: readonly Difference[],
  isAsExpected: (better: JsonObject) => boolean,
): Verdict {
  const entries = deviations.filter(
    ({ steps, expect }) =>
      (steps === undefined || steps.includes(step)) &&
      (expect === undefined || alternatives(expect).some(isAsExpected)),
  );
  const failures: Difference[] = [];
  const reasons = new Set<string>();
  for (const difference of differences) {
    const entry = entries.find((one) => covers(one, difference.path));
    if (entry === undefined) failures.push(difference);
    else reasons.add(entry.why);
  }
  return { failures, reasons };
}

function alternatives(expect: JsonObject | readonly JsonObject[]): readonly JsonObject[] {
  return isArray(expect) ? expect : [expect];
}

/** A path covers everything below it; `*` is one member or index. */
function covers({ paths }: Deviation, path: string): boolean {
  return (
    paths === undefined ||
    paths.some((pattern) => {
      const escaped = pattern.replace(/[.[\]+]/g, String.raw`\$&`).replaceAll('*', String.raw`[^.[\]]*`);
      return new RegExp(String.raw`^${escaped}(?:[.[].*)?$`, 's').test(path);
    })
  );
}
