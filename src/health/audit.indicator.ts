import { Inject, Injectable } from '@nestjs/common';
import { HealthIndicatorService, type HealthIndicatorResult } from '@nestjs/terminus';
import type { RecordKeeping } from '../common/call-observer.port.js';

/** Injection token of the audit's {@link RecordKeeping}; null without one. */
export const AuditState = Symbol('AuditState');

/**
 * Whether audit lines can be written. It is never `down`: a full disk must not end the service of every instance that writes there. Who
 * wants it otherwise has the metrics to act on.
 */
@Injectable()
export class AuditIndicator {
  constructor(
    @Inject(AuditState) private readonly audit: RecordKeeping | null,
    @Inject(HealthIndicatorService) private readonly indicators: HealthIndicatorService,
  ) {}

  /** `audit`, with `state: degraded` while lines cannot be written, and how many are lost. Nothing without an audit. */
  check(): HealthIndicatorResult {
    if (this.audit === null) return {};
    const { isFailing, lost } = this.audit;
    const facts = { ...(isFailing ? { state: 'degraded' } : {}), ...(lost > 0 ? { lost } : {}) };
    return this.indicators.check('audit').up(facts);
  }
}
