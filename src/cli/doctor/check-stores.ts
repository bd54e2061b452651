/** The stores of pins and identities: where they are, whether they work, who else can read them, whether a lock was left. */
import path from 'node:path';
import type { Result } from '../../common/result.js';
import { WatchedStores } from '../../common/watched-stores.js';
import type { StateLocations } from '../../file-store/index.js';
import type { CommandContext, CommandServices } from '../command-context.js';
import { broken, doubtful, fine, type Finding } from './finding.js';
import type { Probes } from './probes.js';

/** A hold of a lock lasts milliseconds. */
const LEFT_BEHIND_MS = 60_000;

const SEE_FILE = 'Check that the file is whole and belongs to you.';
const SEE_FOLDER = 'Check the permissions of the folder and the space on its disk.';
const SEE_REDIS = 'See what is said of Redis.';

/** See the file's header. */
export async function checkStores(
  { platform, clock }: CommandContext,
  services: CommandServices,
  located: Result<StateLocations, { readonly message: string; readonly facts: { readonly next_step?: string } }>,
  probes: Probes,
): Promise<Finding[]> {
  if (!located.ok) {
    return [broken('stores', located.error.message, located.error.facts.next_step ?? 'Set the paths of the stores.')];
  }
  const { trustFile, identityDirectory } = located.value;
  const places: Readonly<Record<string, string>> = { pins: trustFile, identities: identityDirectory };
  const states = await services.get<WatchedStores>(WatchedStores).look();
  const findings = states.map(({ name, entries, isUsable, isShared }): Finding => {
    const place = isShared ? ' in Redis' : places[name] === undefined ? '' : ` in ${places[name]}`;
    if (entries === null) return broken(name, `cannot be read${place}`, isShared ? SEE_REDIS : SEE_FILE);
    if (!isUsable) return broken(name, `cannot be written${place}`, isShared ? SEE_REDIS : SEE_FOLDER);
    return fine(name, `${entries}${place}`);
  });
  // Windows has no mode bits; a user's data folder there is private by inheritance.
  if (platform !== 'win32') findings.push(...(await openToOthers([trustFile, identityDirectory], probes)));
  findings.push(
    ...(await locksLeft(
      [`${trustFile}.lock.d`, path.join(identityDirectory, 'registry.json.lock.d')],
      clock.nowMs(),
      probes,
    )),
  );
  return findings;
}

async function openToOthers(paths: readonly string[], probes: Probes): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const one of paths) {
    const seen = await probes.look(one);
    if (typeof seen === 'string' || (seen.mode & 0o077) === 0) continue;
    findings.push(
      doubtful('permissions', `others can reach ${one} (mode ${seen.mode.toString(8)})`, `Run: chmod go= '${one}'`),
    );
  }
  return findings;
}

async function locksLeft(locks: readonly string[], nowMs: number, probes: Probes): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const lock of locks) {
    const seen = await probes.look(lock);
    if (typeof seen === 'string') continue;
    const holders = await probes.list(lock);
    const pid = typeof holders === 'string' ? undefined : holders[0]?.split('.', 1)[0];
    const ageMs = nowMs - seen.changedMs;
    findings.push(
      ageMs < LEFT_BEHIND_MS
        ? fine('lock', `${lock} is held${pid === undefined ? '' : ` by process ${pid}`}`)
        : doubtful(
            'lock',
            `${lock} is ${Math.round(ageMs / 1000)} s old`,
            'It is taken over at the next change; remove it if no server runs.',
          ),
    );
  }
  return findings;
}
