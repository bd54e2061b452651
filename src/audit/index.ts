/** Who did what, written down: a line for each call, and for each request that was turned away. */
export type { AuditSink } from './audit-sink.port.js';
export { AuditTrail } from './audit-trail.js';
export { ChainCheck, type BreakReason, type ChainReport } from './core/chain-check.js';
export { HashChain, LineHash, type ChainLink } from './core/chain.js';
export { openAuditFile, readHead } from './io/audit-file.js';
export { AuditStream } from './io/audit-stream.js';
