import { Global, Module } from '@nestjs/common';
import { Clock } from '../common/clock.port.js';
import { SystemClock } from './system-clock.js';

/** The clock that every domain takes its time from. */
@Global()
@Module({ providers: [{ provide: Clock, useClass: SystemClock }], exports: [Clock] })
export class ClockModule {}
