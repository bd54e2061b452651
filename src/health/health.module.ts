import { Module, type DynamicModule } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { HealthController, PackageVersion } from './health.controller.js';

/** `/health`. */
@Module({})
export class HealthModule {
  static register(version: string): DynamicModule {
    return {
      module: HealthModule,
      imports: [TerminusModule.forRoot({ logger: false })],
      controllers: [HealthController],
      providers: [{ provide: PackageVersion, useValue: version }],
    };
  }
}
