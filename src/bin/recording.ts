/** What is recorded of calls, as far as the settings ask for it; only then its code is loaded. */
import { SystemClock } from '../clock/system-clock.js';
import { asOneObserver, type CallObserver, type RecordKeeping } from '../common/call-observer.port.js';
import { ok, type Result } from '../common/result.js';
import type { Config, ConfigProblem } from '../config/index.js';
import type { Log } from '../logging/index.js';

/** What a server is built with so that its calls are recorded. */
export interface Recording {
  readonly calls: CallObserver | undefined;
  readonly audit: RecordKeeping | undefined;
  /** Writes what is not written yet. */
  close(): Promise<void>;
}

const NOTHING: Recording = { calls: undefined, audit: undefined, close: () => Promise.resolve() };

/** Opens what the settings name. Fails when the audit cannot be written: a server that must be audited does not run without. */
export async function startRecording(
  { audit: settings }: Config,
  version: string,
  log: Log,
): Promise<Result<Recording, ConfigProblem>> {
  if (settings.auditFile === null) return ok(NOTHING);
  const { openAudit } = await import('./open-audit.js');
  const audit = await openAudit(settings.auditFile, settings, { clock: new SystemClock(), log, version });
  if (!audit.ok) return audit;
  return ok({ calls: asOneObserver([audit.value]), audit: audit.value, close: () => audit.value.close() });
}
