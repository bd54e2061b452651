import { AuditStream, AuditTrail, HashChain, LineHash, openAuditFile } from '../audit/index.js';
import type { Clock } from '../common/clock.port.js';
import { err, ok, type Result } from '../common/result.js';
import { AUDIT_TO_STDERR, AUDIT_TO_STDOUT, type AuditConfig, type ConfigProblem } from '../config/index.js';
import type { Log } from '../logging/index.js';

/** What the audit needs beside its settings. */
export interface AuditSurroundings {
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
}

const STREAMS: ReadonlyMap<string, number> = new Map([
  [AUDIT_TO_STDOUT, 1],
  [AUDIT_TO_STDERR, 2],
]);

/** Opens the audit at `place`, the value of GOPHER_MCP_AUDIT_FILE. Fails when nothing can be appended there. */
export async function openAudit(
  place: string,
  { auditChain, auditKey }: AuditConfig,
  surroundings: AuditSurroundings,
): Promise<Result<AuditTrail, ConfigProblem>> {
  const stream = STREAMS.get(place);
  if (stream !== undefined) return ok(new AuditTrail({ ...surroundings, sink: new AuditStream(stream), chain: null }));
  const opened = await openAuditFile(place);
  if (!opened.ok) {
    const requirement = `must be a file that can be opened for appending (${opened.error})`;
    return err({ name: 'GOPHER_MCP_AUDIT_FILE', requirement, rejected: place });
  }
  const { sink, last, isCut } = opened.value;
  if (auditChain && isCut) surroundings.log.error('audit file ends before its last line', { lines: last.seq });
  const chain = auditChain ? new HashChain(new LineHash(auditKey), last) : null;
  return ok(new AuditTrail({ ...surroundings, sink, chain }));
}
