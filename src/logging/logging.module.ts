/** The log for the whole graph. */
import { Module, type DynamicModule } from '@nestjs/common';
import { Log } from './log.port.js';

/** Global: every class may have {@link Log} injected. */
@Module({})
export class LoggingModule {
  /** @param log opened before the graph is built, and closed after it by whoever opened it */
  static forRoot(log: Log): DynamicModule {
    return { module: LoggingModule, global: true, providers: [{ provide: Log, useValue: log }], exports: [Log] };
  }
}
