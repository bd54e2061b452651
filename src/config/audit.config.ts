/** Settings of the audit: variables `GOPHER_MCP_AUDIT_*`. */
import type { ConfigProblem } from './config-problem.js';
import { boolean, key256, path } from './setting-kinds.js';
import { Setting } from './setting.js';
import type { Transport } from './transport.js';

/** Value of {@link AuditConfig.auditFile} for standard output. */
export const AUDIT_TO_STDOUT = '-';

/** Value of {@link AuditConfig.auditFile} for standard error. */
export const AUDIT_TO_STDERR = 'stderr';

/** Effective settings, and their injection token. */
export class AuditConfig {
  @Setting(
    path(),
    'File to which one line is appended for each tool call, each resource read and each request that is turned away. `-` = standard output, not over stdio; `stderr` = standard error. Unset = no audit. The server does not start when it cannot be opened.',
  )
  readonly auditFile: string | null = null;

  @Setting(
    boolean(),
    'Each audit line carries the hash of the one before it, so that `gopher-mcp audit verify` finds changed and missing lines. Needs a file, which one process alone may write.',
  )
  readonly auditChain: boolean = false;

  @Setting(
    key256(),
    'Key of the hashes (HMAC-SHA-256): whoever does not know it cannot make a chain that verifies. Unset = SHA-256.',
    { secret: true },
  )
  readonly auditKey: string | null = null;
}

/** What of the audit's settings does not go together. */
export function auditProblems({ auditFile, auditChain }: AuditConfig, transport: Transport): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  if (auditFile === AUDIT_TO_STDOUT && transport === 'stdio') {
    problems.push({
      name: 'GOPHER_MCP_AUDIT_FILE',
      requirement: 'must not be standard output over stdio, where it belongs to the protocol',
      rejected: auditFile,
    });
  }
  if (auditChain && (auditFile === AUDIT_TO_STDOUT || auditFile === AUDIT_TO_STDERR)) {
    problems.push({
      name: 'GOPHER_MCP_AUDIT_CHAIN',
      requirement: 'must be off for a stream, whose end cannot be read at the next start',
      rejected: 'true',
    });
  }
  return problems;
}
