import { Controller, Get, Inject } from '@nestjs/common';
import { HealthCheckService } from '@nestjs/terminus';

/** Injection token of the package's version. */
export const PackageVersion = Symbol('PackageVersion');

/** What `/health` answers. */
export interface HealthReport {
  readonly status: string;
  readonly version: string;
}

/** Whether the server serves. Outside the Host check, and tells nothing of the configuration. */
@Controller('health')
export class HealthController {
  constructor(
    @Inject(HealthCheckService) private readonly health: HealthCheckService,
    @Inject(PackageVersion) private readonly version: string,
  ) {}

  /** 200 while every indicator is up; Terminus answers 503 otherwise. */
  @Get()
  async check(): Promise<HealthReport> {
    const { status } = await this.health.check([]);
    return { status, version: this.version };
  }
}
