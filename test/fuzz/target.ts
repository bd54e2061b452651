/**
 * What a fuzz target is, and how one is run: by `npm run fuzz` for minutes, by fuzz.spec.ts for a moment.
 *
 * Inputs are values that JSON can carry (bytes are strings of the characters U+0000..U+00FF), so that seeds and
 * counterexamples can be kept in files: `seeds/<target>.json`, a list, tried first in every run.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';

/** A parser or decoder, the inputs that are tried on it, and what must hold for each. */
export interface FuzzTarget {
  readonly name: string;
  /** Makes one batch of tries; used by {@link runTarget} alone. */
  readonly batch: (seed: number, runs: number) => Batch;
  /** Tries one kept input. */
  readonly replay: (input: unknown) => void;
}

interface Batch {
  readonly executions: number;
  /** The shrunk input that broke a promise, and how; absent when none did. */
  readonly failure?: { readonly input: unknown; readonly message: string };
}

/**
 * Declares a target. `check` throws when a promise is broken; that it takes too long is noticed here.
 *
 * @param msPerCharacter CPU that a check may take for each character of its input; the default is for a check that goes over
 *   it some dozens of times
 */
export function fuzzTarget<T>(
  name: string,
  input: fc.Arbitrary<T>,
  check: (input: T) => void,
  msPerCharacter = 0.005,
): FuzzTarget {
  const timed = (value: T): void => checkInTime(check, value, msPerCharacter);
  return {
    name,
    batch: (seed, runs) => {
      const outcome = fc.check(fc.property(input, timed), { seed, numRuns: runs });
      const executions = outcome.numRuns + outcome.numShrinks;
      if (!outcome.failed) return { executions };
      const [found] = outcome.counterexample ?? [];
      return { executions, failure: { input: found, message: `${String(outcome.errorInstance)}\nseed ${seed}` } };
    },
    replay: (value) => timed(value as T),
  };
}

/** How one run of a target went. */
export interface FuzzReport {
  readonly target: string;
  /** Inputs tried, those of shrinking and the kept ones included. */
  readonly executions: number;
  readonly cpuMs: number;
  readonly failure?: { readonly input: unknown; readonly message: string };
}

/**
 * Runs `target`: first its kept inputs, then random ones until `cpuMs` of CPU time are spent or something is found.
 *
 * @param seed of the first batch; the same seed tries the same inputs in the same order
 * @param onBatch is told the seed of each batch before it starts: what to replay when it never ends
 */
export function runTarget(
  target: FuzzTarget,
  cpuMs: number,
  seed: number,
  onBatch: (seed: number, executions: number) => void = () => undefined,
): FuzzReport {
  const started = process.cpuUsage();
  let executions = 0;
  const report = (failure?: FuzzReport['failure']): FuzzReport => ({
    target: target.name,
    executions,
    cpuMs: cpuMsSince(started),
    ...(failure && { failure }),
  });
  for (const input of keptInputs(target.name)) {
    executions++;
    try {
      target.replay(input);
    } catch (error) {
      return report({ input, message: `a kept input fails: ${String(error)}` });
    }
  }
  for (let batch = 0; batch === 0 || cpuMsSince(started) < cpuMs; batch++) {
    onBatch(seed + batch, executions);
    const outcome = target.batch(seed + batch, BATCH_RUNS);
    executions += outcome.executions;
    if (outcome.failure) return report(outcome.failure);
  }
  return report();
}

/** The inputs kept for a target. */
export function keptInputs(name: string): readonly unknown[] {
  const path = seedFile(name);
  if (!existsSync(path)) return [];
  const inputs: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (!Array.isArray(inputs)) throw new Error(`${path} is not a list`);
  return inputs;
}

/** Adds an input to those kept for a target, unless it is there already. */
export function keepInput(name: string, input: unknown): void {
  const kept = keptInputs(name);
  const text = JSON.stringify(input);
  if (kept.some((one) => JSON.stringify(one) === text)) return;
  writeFileSync(seedFile(name), `[\n${[...kept, input].map((one) => `  ${asciiJson(one)}`).join(',\n')}\n]\n`);
}

function seedFile(name: string): string {
  return join(FOLDER, `${name}.json`);
}

/** Seeds hold characters that no editor shows. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Throws when `check` takes more CPU than linear work can; a second and third try rule out the noise of a busy machine. */
function checkInTime<T>(check: (input: T) => void, input: T, msPerCharacter: number): void {
  let least = Infinity;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = process.cpuUsage();
    check(input);
    least = Math.min(least, cpuMsSince(before));
    if (least <= FREE_MS) return;
  }
  const size = JSON.stringify(input).length;
  const budgetMs = FREE_MS + size * msPerCharacter;
  if (least > budgetMs) throw new Error(`${least.toFixed(0)} ms of CPU for an input of ${size} characters`);
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** From the top of the repository: this file may run from a bundle elsewhere. */
const FOLDER = join(process.cwd(), 'test', 'fuzz', 'seeds');
const BATCH_RUNS = 200;
const ATTEMPTS = 3;
/** What any check may take, whatever the input. */
const FREE_MS = 40;
