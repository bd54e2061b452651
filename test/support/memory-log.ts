import type { Log, LogFields, LogLevel } from '../../src/logging/index.js';

/** What was logged. */
export interface MemoryLog extends Log {
  readonly records: readonly { readonly level: LogLevel; readonly event: string; readonly fields: LogFields }[];
  /** The events of one level, in order. */
  events(level: LogLevel): string[];
}

/** A log that keeps its records. */
export function memoryLog(): MemoryLog {
  const records: { level: LogLevel; event: string; fields: LogFields }[] = [];
  const at =
    (level: LogLevel) =>
    (event: string, fields: LogFields = {}): void =>
      void records.push({ level, event, fields });
  return {
    records,
    events: (wanted) => records.filter(({ level }) => level === wanted).map(({ event }) => event),
    debug: at('debug'),
    info: at('info'),
    warning: at('warning'),
    error: at('error'),
    critical: at('critical'),
    isEnabled: () => true,
  };
}
