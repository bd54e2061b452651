/** What commands over the stores tell a person. */
import type { IdentityImport, NamedIdentity } from '../cert/index.js';
import type { Failure } from '../common/error-codes.js';
import type { PinImport } from '../trust/index.js';
import type { CommandContext } from './command-context.js';
import { EXIT, type ExitCode } from './command.js';
import { printableLine } from './printable.js';

/** Reports a store that cannot be used. */
export function storeFailure({ stderr }: CommandContext, { code, message, facts }: Failure): ExitCode {
  stderr.write(`error: ${printableLine(message)} [${code}]\n`);
  if (facts.next_step !== undefined) stderr.write(`next step: ${printableLine(facts.next_step)}\n`);
  return EXIT.failed;
}

/** Names an identity. */
export function identityName({ tenant, url }: NamedIdentity): string {
  return `${url} of tenant ${tenant}`;
}

/** Counts on stdout, and on stderr what did not get in. Exit code 1 when there is any. */
export function reportImport(
  { stdout, stderr }: CommandContext,
  pins: PinImport,
  identities: IdentityImport | null,
): ExitCode {
  stdout.write(`pins: ${counts(pins)}\n`);
  if (identities !== null) stdout.write(`identities: ${counts(identities)}\n`);
  const left = [
    ...pins.differs.map((key) => `the pin of ${key}: another certificate is pinned; --replace puts this one there`),
    ...(identities?.differs ?? []).map(
      (one) => `the identity for ${identityName(one)}: another one is there; --replace puts this one there`,
    ),
    ...(identities?.sealed ?? []).map(
      (one) => `the identity for ${identityName(one)}: its key needs another GOPHER_MCP_STATE_KEY(_OLD)`,
    ),
  ];
  for (const line of left) stderr.write(`left out: ${printableLine(line)}\n`);
  for (const one of identities?.incomplete ?? [])
    stderr.write(`left out: ${printableLine(`the identity for ${identityName(one)}: its files are missing`)}\n`);
  return left.length === 0 ? EXIT.ok : EXIT.failed;
}

/** `3 added, 0 unchanged, ...`. */
function counts(outcomes: PinImport | IdentityImport): string {
  return Object.entries(outcomes)
    .map(([outcome, items]: [string, readonly unknown[]]) => `${items.length} ${outcome}`)
    .join(', ');
}
