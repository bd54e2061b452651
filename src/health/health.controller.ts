/**
 * How this server is, for people, balancers and orchestrators. Outside the Host check, and tells nothing of the configuration.
 *
 *   /health           it answers; with its version
 *   /health/live      it answers: restart it when this fails
 *   /health/ready     it is fit to be sent calls: stores, event loop, not about to stop
 *   /health/startup   it has been fit once: do not ask for the other two before
 */
import { All, Controller, Header, Inject, UseGuards } from '@nestjs/common';
import type { HealthCheckResult } from '@nestjs/terminus';
import { ReadingOnlyGuard } from './reading-only.guard.js';
import { Readiness } from './readiness.js';

/** Injection token of the package's version. */
export const PackageVersion = Symbol('PackageVersion');

const NEVER_STORED = ['cache-control', 'no-store'] as const;

/** See the file's header. */
@Controller('health')
@UseGuards(ReadingOnlyGuard)
export class HealthController {
  constructor(
    @Inject(Readiness) private readonly readiness: Readiness,
    @Inject(PackageVersion) private readonly version: string,
  ) {}

  /** 200 while the process serves, whatever the state of its stores. */
  @All()
  @Header(...NEVER_STORED)
  answer(): { status: 'ok'; version: string } {
    return { status: 'ok', version: this.version };
  }

  /** 200 while the process serves. */
  @All('live')
  @Header(...NEVER_STORED)
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** 200 when calls are welcome and would be served, 503 otherwise. */
  @All('ready')
  @Header(...NEVER_STORED)
  ready(): Promise<HealthCheckResult> {
    return this.readiness.check();
  }

  /** 503 until the stores could be used, 200 ever after. */
  @All('startup')
  @Header(...NEVER_STORED)
  startup(): Promise<HealthCheckResult> {
    return this.readiness.checkStart();
  }
}
