/**
 * Asks a host's robots.txt before anything else is asked of the host.
 *
 * A policy is kept for its lifetime. When it has run out and cannot be read again, the old one goes on to apply. One probe
 * a host and port is under way at a time; whoever comes meanwhile waits for it and shares its outcome. That wait is not
 * charged to the waiting fetch, because it may stand behind the other fetch's pacing; it is bounded by the other one's
 * deadline. After a failed probe the host is not asked for a while, which is looked at again after waiting, so that a
 * batch aimed at a dead host costs one probe.
 *
 * What an unreadable policy means is a setting. Gemini's statuses tell a missing file from a broken server, so there it
 * refuses, after one more try if the first timed out. Gopher cannot tell them apart, so there it allows; the probe then
 * gets no more than half of the time, for the fetch that follows anyway needs the rest.
 */
import type { Clock } from '../common/clock.port.js';
import type { Deadline } from '../common/deadline.js';
import { inTurns } from '../common/in-turns.js';
import { failure, type Failure, type FailureReason } from '../common/error-codes.js';
import { bracketed } from '../common/net/host.js';
import { err, ok, type Result } from '../common/result.js';
import { unlessAborted } from './core/aborted.js';
import { isRefused } from './core/robots-decision.js';
import { NO_RULES, parseRobots, type RobotsAgents, type RobotsRules } from './core/robots-rules.js';
import { namedPauseSeconds, toRetryAfterSeconds } from './core/slow-down.js';
import { SweptMap } from './core/swept-map.js';
import type { RobotsProbe } from './robots-probe.js';
import type { RobotsPolicy, RobotsStore, RobotsTrouble } from './robots-store.port.js';

/** Settings of a {@link RobotsGate}. */
export interface RobotsGateOptions {
  /** Lifetime of a policy, milliseconds; 0 = the host is asked before each fetch. */
  readonly ttlMs: number;
  /** How long a host is not asked again after a failed probe, milliseconds; 0 = not at all. */
  readonly failureBackoffMs: number;
  readonly agents: RobotsAgents;
  /** What happens to a fetch when the policy cannot be read and no older one is known. */
  readonly onFailure: 'allow' | 'refuse';
  /** Start of this protocol's variable names, e.g. `GOPHER_`. */
  readonly variablePrefix: string;
}

/** What is about to be fetched. */
export interface RobotsTarget {
  /** Normalised. */
  readonly host: string;
  readonly port: number;
  /** The spellings under which rules are tried. */
  readonly paths: readonly string[];
}

/** Reads robots.txt of the target's host. Ends with the deadline. */
export type ProbeRobots = (deadline: Deadline) => Promise<RobotsProbe>;

/** What is known after a probe, shared by all who waited for it. */
type Finding =
  | { readonly kind: 'rules'; readonly rules: RobotsRules }
  | { readonly kind: 'unavailable'; readonly trouble: Trouble }
  | { readonly kind: 'surface'; readonly failure: Failure }
  /** The fetch that probed went away; nothing is known. */
  | { readonly kind: 'abandoned' };

/** A failed probe. */
interface Trouble {
  readonly cause: string;
  readonly reason: FailureReason | undefined;
  /** Monotonic milliseconds; until then the host is not asked again. */
  readonly untilMs: number;
}

/** Part of the time left that the first try of a probe may use. */
const PROBE_SHARE = 0.5;

/** See the file's header. One for each protocol. */
export class RobotsGate {
  readonly #probes = new Map<string, Promise<Finding>>();
  readonly #troubles: SweptMap<Trouble>;

  constructor(
    private readonly options: RobotsGateOptions,
    private readonly store: RobotsStore,
    private readonly clock: Clock,
  ) {
    this.#troubles = new SweptMap((trouble) => trouble.untilMs <= clock.monotonicMs());
  }

  /**
   * Whether `target` may be fetched; `probe` is called if its host has to be asked.
   *
   * BLOCKED_BY_ROBOTS when a rule refuses it. ROBOTS_UNAVAILABLE when the policy cannot be read and that refuses. What a
   * probe surfaces passes through unchanged; where an unreadable policy allows, only SLOW_DOWN does, as the fetch itself
   * meets the same obstacle unless it is answered from the cache. FETCH_ERROR when the caller goes away.
   */
  async check(target: RobotsTarget, probe: ProbeRobots, deadline: Deadline): Promise<Result<void, Failure>> {
    const key = `${bracketed(target.host)}:${target.port}`;
    for (;;) {
      const policy = await this.store.get(key);
      const finding = this.#known(key, policy) ?? (await this.#find(key, probe, deadline));
      if (finding.kind !== 'abandoned') return this.#decide(target, finding, policy);
      if (deadline.signal.aborted) return err(deadline.failure('Reading robots.txt'));
    }
  }

  /** What needs no probe: a policy that still lives, or a failure too recent to try again. */
  #known(key: string, policy: RobotsPolicy | null): Finding | null {
    if (policy && this.clock.nowMs() < policy.expiresAtMs) return { kind: 'rules', rules: policy.rules };
    const trouble = this.#troubles.get(key);
    if (trouble && this.clock.monotonicMs() < trouble.untilMs) return { kind: 'unavailable', trouble };
    return null;
  }

  /** Joins the probe under way, or makes one. */
  async #find(key: string, probe: ProbeRobots, deadline: Deadline): Promise<Finding> {
    const running = this.#probes.get(key);
    if (running) {
      return (await deadline.paused(() => unlessAborted(running, deadline.signal))) ?? { kind: 'abandoned' };
    }
    const own = this.#probe(key, probe, deadline).finally(() => this.#probes.delete(key));
    this.#probes.set(
      key,
      own.catch((): Finding => ({ kind: 'abandoned' })),
    );
    return own;
  }

  async #probe(key: string, probe: ProbeRobots, deadline: Deadline): Promise<Finding> {
    const told = await this.store.trouble(key);
    if (told) return this.#note(key, told);
    const outcome = await this.#ask(probe, deadline);
    if (outcome.kind === 'policy') {
      return this.#keep(key, await inTurns(parseRobots(outcome.text, this.options.agents), this.clock, deadline));
    }
    if (outcome.kind === 'absent') return this.#keep(key, NO_RULES);
    // How a probe fails whose caller left says nothing about the host.
    if (deadline.end === 'cancelled') return { kind: 'abandoned' };
    if (outcome.kind === 'surface') return outcome;
    const trouble = { cause: outcome.cause, reason: outcome.reason, backoffMs: this.#backoffMs(outcome) };
    await this.store.setTrouble(key, trouble);
    return this.#note(key, trouble);
  }

  #note(key: string, { cause, reason, backoffMs }: RobotsTrouble): Finding {
    const trouble = { cause, reason, untilMs: this.clock.monotonicMs() + backoffMs };
    this.#troubles.set(key, trouble);
    return { kind: 'unavailable', trouble };
  }

  /** A period that the host names counts instead of ours. */
  #backoffMs({ slowDown }: Extract<RobotsProbe, { kind: 'unavailable' }>): number {
    const seconds = slowDown === undefined ? null : namedPauseSeconds(slowDown);
    return seconds === null ? this.options.failureBackoffMs : seconds * 1000;
  }

  async #ask(probe: ProbeRobots, deadline: Deadline): Promise<RobotsProbe> {
    const share = deadline.share(deadline.remainingMs * PROBE_SHARE);
    try {
      const first = await probe(share);
      const again = first.kind === 'unavailable' && first.retry === true && this.options.onFailure === 'refuse';
      return again && !deadline.signal.aborted ? await probe(deadline) : first;
    } finally {
      share.dispose();
    }
  }

  async #keep(key: string, rules: RobotsRules): Promise<Finding> {
    this.#troubles.delete(key);
    await this.store.set(key, { rules, expiresAtMs: this.clock.nowMs() + this.options.ttlMs });
    return { kind: 'rules', rules };
  }

  /** @param policy what was known before; it goes on to apply when the host cannot be asked */
  #decide(
    target: RobotsTarget,
    finding: Exclude<Finding, { kind: 'abandoned' }>,
    policy: RobotsPolicy | null,
  ): Result<void, Failure> {
    const allows = this.options.onFailure === 'allow';
    switch (finding.kind) {
      case 'rules':
        return this.#apply(finding.rules, target);
      case 'surface':
        if (!allows || finding.failure.code === 'SLOW_DOWN') return err(finding.failure);
        return this.#apply(policy?.rules ?? NO_RULES, target);
      case 'unavailable':
        if (policy || allows) return this.#apply(policy?.rules ?? NO_RULES, target);
        return err(this.#unavailable(target, finding.trouble));
    }
  }

  #apply(rules: RobotsRules, { host, paths }: RobotsTarget): Result<void, Failure> {
    if (!isRefused(rules, paths)) return ok(undefined);
    return err(
      failure(
        'BLOCKED_BY_ROBOTS',
        `A rule in the robots.txt of ${host} keeps programs from this resource. That is its operator's decision: do not ` +
          `retry, and do not look for another spelling. ${this.options.variablePrefix}RESPECT_ROBOTS_TXT=false is only ` +
          'for hosts that the user operates.',
        { next_step: 'Tell the user, who can open the page in a browser of their own; go on with other sources.' },
      ),
    );
  }

  #unavailable({ host, port }: RobotsTarget, { cause, reason, untilMs }: Trouble): Failure {
    const waitMs = untilMs - this.clock.monotonicMs();
    return failure(
      'ROBOTS_UNAVAILABLE',
      `The robots.txt of ${bracketed(host)}:${port} could not be read (${cause}), so nothing else was requested there.`,
      {
        ...(reason !== undefined && { reason }),
        ...(waitMs > 0 && { retry_after_seconds: toRetryAfterSeconds(waitMs) }),
        next_step: 'Try again later; if it keeps failing, the server is down.',
      },
    );
  }
}
