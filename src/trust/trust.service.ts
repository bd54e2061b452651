/**
 * Pins: checked on every Gemini connection, listed and changed by the trust tools.
 *
 * A decision is always taken on the pin as the store holds it at that moment; one that writes is taken again under
 * the store's compare-and-set. Changes by a person come as plans, so that the tool can ask between check and write.
 */
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.port.js';
import type { Deadline } from '../common/deadline.js';
import type { Failure } from '../common/error-codes.js';
import { parseFingerprint, sameFingerprint } from '../common/fingerprint.js';
import { normalizeHost } from '../common/net/host.js';
import type { Plan } from '../common/plan.js';
import { isoInstant } from '../common/request-info.js';
import { err, ok, type Result } from '../common/result.js';
import { decidePin, type PinDecision, type PresentedCertificate } from './core/decide-pin.js';
import { endpointOf, isPinExpired, pinKey, type Endpoint, type PinRecord } from './core/pin-record.js';
import * as say from './core/trust-messages.js';
import { PinObserver } from './pin-observer.port.js';
import { TrustOptions } from './trust-options.js';
import { TrustStore, type PinChange } from './trust-store.port.js';

/** A connection that may go on. */
export interface Verified {
  /** What the caller should know: `tofu_warning`. */
  readonly warning: string | null;
}

/** A pin in the list; a type alias, so that it is a JSON object. */
export type TrustEntry = {
  readonly host: string;
  readonly port: number;
  /** Canonical, without prefix. */
  readonly fingerprint: string;
  /** ISO-8601 UTC, like the next two. */
  readonly first_seen: string;
  readonly last_seen: string;
  readonly expires: string | null;
  readonly expired: boolean;
};

/** Result of the list tool, without request_info. */
export type TrustList = {
  readonly kind: 'trust_list';
  /** By host, then port. */
  readonly entries: readonly TrustEntry[];
};

/** Result of the update tool, without request_info. */
export type TrustUpdate = {
  readonly kind: 'trust_update';
  readonly action: 'remove' | 'pin';
  /** As given. */
  readonly host: string;
  readonly port: number;
  readonly changed: boolean;
  readonly message: string;
};

/** The arguments of the update tool: unchecked. */
export interface PinTarget {
  readonly host: string;
  readonly port: number;
  readonly fingerprint: string;
}

interface CheckedTarget {
  readonly endpoint: Endpoint;
  readonly fingerprint: string;
  readonly current: PinRecord | null;
}

@Injectable()
export class TrustService {
  constructor(
    @Inject(TrustStore) private readonly store: TrustStore,
    @Inject(PinObserver) private readonly observer: PinObserver,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(TrustOptions) private readonly options: TrustOptions,
  ) {}

  /** Whether a connection to `host` could be checked: to be asked before it is opened. CERTIFICATE_STORE_UNAVAILABLE. */
  async ready(host: string, port: number): Promise<Result<null, Failure>> {
    if (!this.options.enabled) return ok(null);
    const stored = await this.store.read({ host, port });
    return stored.ok ? ok(null) : stored;
  }

  /**
   * Checks the certificate of a handshake, before anything is sent. First use pins it, on disk when this resolves.
   *
   * CERTIFICATE_CHANGED, CERTIFICATE_EXPIRED, CERTIFICATE_NOT_YET_VALID, CERTIFICATE_UNVERIFIED (no certificate),
   * CERTIFICATE_STORE_UNAVAILABLE; FETCH_ERROR when `deadline` ends while the pin waits to be written.
   *
   * @param host normalised
   */
  async verify(
    host: string,
    port: number,
    presented: PresentedCertificate | null,
    deadline?: Deadline,
  ): Promise<Result<Verified, Failure>> {
    if (!this.options.enabled) return ok({ warning: null });
    const endpoint = { host, port };
    if (presented === null) return say.unverifiedFailure(endpoint);

    const stored = await this.store.read(endpoint);
    if (!stored.ok) return stored;
    const decide = (current: PinRecord | null): PinDecision =>
      decidePin(current, presented, this.clock.nowMs(), this.options);
    const decision = decide(stored.value);
    if (decision.kind !== 'pin') return this.#conclude(endpoint, presented, decision);

    const written = await this.store.update(endpoint, (current) => pinIfDecided(decide(current)), deadline);
    return written.ok ? this.#conclude(endpoint, presented, written.value) : written;
  }

  /** The pins, of one host or all. INVALID_REQUEST, CERTIFICATE_STORE_UNAVAILABLE, TOFU_DISABLED. */
  async list(host: string | null): Promise<Result<TrustList, Failure>> {
    const pins = await this.store.readAll();
    if (!pins.ok) return pins;
    if (!this.options.enabled) return say.disabledFailure();
    // A blank filter counts as none.
    const filter = host?.trim() ?? '';
    const wanted = normalizeHost(filter);
    if (wanted === null && filter !== '') return notAHost();

    const nowMs = this.clock.nowMs();
    const entries: TrustEntry[] = [];
    for (const [key, pin] of pins.value) {
      const endpoint = endpointOf(key);
      if (endpoint === null || (wanted !== null && endpoint.host !== wanted)) continue;
      entries.push(trustEntry(endpoint, pin, nowMs));
    }
    entries.sort((a, b) => (a.host === b.host ? a.port - b.port : a.host < b.host ? -1 : 1));
    return ok({ kind: 'trust_list', entries });
  }

  /**
   * Checks a removal; needs the fingerprint of the current pin. INVALID_REQUEST, CERTIFICATE_STORE_UNAVAILABLE,
   * TOFU_DISABLED, FINGERPRINT_MISMATCH.
   */
  async planRemove(target: PinTarget): Promise<Result<Plan<TrustUpdate>, Failure>> {
    const checked = await this.#check(target);
    if (!checked.ok) return checked;
    const { endpoint, fingerprint, current } = checked.value;
    const name = say.endpointName(endpoint);
    const answer = (changed: boolean, message: string): TrustUpdate => trustUpdate('remove', target, changed, message);
    const nothing = answer(false, `No certificate is pinned for ${name}; nothing was changed.`);
    if (current === null) return ok({ kind: 'done', result: nothing });
    if (!sameFingerprint(current.fingerprint, fingerprint)) return say.mismatchFailure(endpoint);

    return ok({
      kind: 'confirm',
      question: say.removeQuestion(endpoint, current),
      apply: (deadline) =>
        this.#apply(
          endpoint,
          (now) => {
            if (now === null) return keep(ok(nothing));
            if (!sameFingerprint(now.fingerprint, fingerprint)) return keep(say.overtakenFailure(endpoint));
            const message = `The pin of ${name} was removed. The next connection pins whatever certificate the server then presents.`;
            return { write: null, value: ok(answer(true, message)) };
          },
          deadline,
        ),
    });
  }

  /**
   * Checks a pin made by hand, new or in place of another; the host is not contacted. INVALID_REQUEST,
   * CERTIFICATE_STORE_UNAVAILABLE, TOFU_DISABLED.
   */
  async planPin(target: PinTarget): Promise<Result<Plan<TrustUpdate>, Failure>> {
    const checked = await this.#check(target);
    if (!checked.ok) return checked;
    const { endpoint, fingerprint, current } = checked.value;
    const name = say.endpointName(endpoint);
    const answer = (changed: boolean, message: string): TrustUpdate => trustUpdate('pin', target, changed, message);
    const nothing = answer(false, `That certificate is already pinned for ${name}; nothing was changed.`);
    if (current !== null && sameFingerprint(current.fingerprint, fingerprint))
      return ok({ kind: 'done', result: nothing });

    return ok({
      kind: 'confirm',
      question: say.pinQuestion(endpoint, fingerprint, current),
      apply: (deadline) =>
        this.#apply(
          endpoint,
          (now) => {
            if (now !== null && sameFingerprint(now.fingerprint, fingerprint)) return keep(ok(nothing));
            if (now?.fingerprint !== current?.fingerprint) return keep(say.overtakenFailure(endpoint));
            const message = `Pinned. From now on only the certificate with SHA-256 ${fingerprint} is accepted from ${name}.`;
            return { write: pinByHand(fingerprint, now, this.clock.nowMs()), value: ok(answer(true, message)) };
          },
          deadline,
        ),
    });
  }

  /** Writes what is remembered of connections; Nest calls it when the process ends. */
  async onModuleDestroy(): Promise<void> {
    await this.store.close();
  }

  #conclude(endpoint: Endpoint, presented: PresentedCertificate, decision: PinDecision): Result<Verified, Failure> {
    switch (decision.kind) {
      case 'match':
        this.store.sighted(endpoint, decision.sighting);
        return ok({ warning: decision.expired ? say.expiredWarning(endpoint, decision.expiresMs) : null });
      case 'pin':
        this.observer.pinChanged(endpoint.host, endpoint.port, {
          kind: 'pinned',
          fingerprint: presented.fingerprint,
        });
        return ok({ warning: say.pinWarning(endpoint, decision) });
      case 'changed':
        this.observer.pinChanged(endpoint.host, endpoint.port, {
          kind: 'mismatch',
          pinned: decision.pinned.fingerprint,
          presented: presented.fingerprint,
        });
        return err(say.changedFailure(endpoint, presented.fingerprint, decision));
      case 'expired':
        return err(say.expiredFailure(endpoint, decision.expiresMs));
      case 'not_yet_valid':
        return err(say.notYetValidFailure(endpoint, decision.notBeforeMs));
    }
  }

  /** The checks that both changes share, in the order that callers rely on. */
  async #check(target: PinTarget): Promise<Result<CheckedTarget, Failure>> {
    const { port } = target;
    if (target.host.trim() === '') {
      return say.argumentFailure('The host is blank.', 'Pass the host name that gemini_trust_list shows.');
    }
    if (!Number.isInteger(port) || port < 1 || port > 65535) {
      return say.argumentFailure('The port is not in 1..65535.', 'Pass the port that gemini_trust_list shows.');
    }
    const fingerprint = parseFingerprint(target.fingerprint);
    if (fingerprint === null) {
      return say.argumentFailure(
        'The fingerprint is not a SHA-256 digest: 64 hexadecimal digits, optionally with colons or "sha256:" in front.',
        'Pass the whole fingerprint.',
      );
    }
    const pins = await this.store.readAll();
    if (!pins.ok) return pins;
    if (!this.options.enabled) return say.disabledFailure();
    const host = normalizeHost(target.host);
    if (host === null) return notAHost();
    const endpoint = { host, port };
    return ok({ endpoint, fingerprint, current: pins.value.get(pinKey(endpoint)) ?? null });
  }

  async #apply(
    endpoint: Endpoint,
    change: (current: PinRecord | null) => PinChange<Result<TrustUpdate, Failure>>,
    deadline: Deadline | undefined,
  ): Promise<Result<TrustUpdate, Failure>> {
    const written = await this.store.update(endpoint, change, deadline);
    if (!written.ok) return written;
    const { value: outcome } = written;
    if (outcome.ok && outcome.value.changed) {
      const { action } = outcome.value;
      this.observer.pinChanged(endpoint.host, endpoint.port, { kind: 'by_hand', action });
    }
    return outcome;
  }
}

function pinIfDecided(decision: PinDecision): PinChange<PinDecision> {
  return { write: decision.kind === 'pin' ? decision.record : 'keep', value: decision };
}

function keep<T>(value: T): PinChange<T> {
  return { write: 'keep', value };
}

/** What is known of a certificate that only its fingerprint names; the next connection that matches adds the rest. */
function pinByHand(fingerprint: string, replaced: PinRecord | null, nowMs: number): PinRecord {
  const nowSeconds = nowMs / 1000;
  return {
    fingerprint,
    firstSeenSeconds: replaced?.firstSeenSeconds ?? nowSeconds,
    lastSeenSeconds: nowSeconds,
    expiresSeconds: null,
    spki: null,
    extra: replaced?.extra ?? {},
  };
}

function trustEntry({ host, port }: Endpoint, pin: PinRecord, nowMs: number): TrustEntry {
  return {
    host,
    port,
    fingerprint: pin.fingerprint,
    first_seen: isoInstant(pin.firstSeenSeconds * 1000),
    last_seen: isoInstant(pin.lastSeenSeconds * 1000),
    expires: pin.expiresSeconds === null ? null : isoInstant(pin.expiresSeconds * 1000),
    expired: isPinExpired(pin, nowMs),
  };
}

function trustUpdate(
  action: TrustUpdate['action'],
  { host, port }: PinTarget,
  changed: boolean,
  message: string,
): TrustUpdate {
  return { kind: 'trust_update', action, host, port, changed, message };
}

function notAHost(): ReturnType<typeof say.argumentFailure> {
  return say.argumentFailure(
    'The host is not a host name or address.',
    'Pass the host name alone, without scheme, port or path.',
  );
}
