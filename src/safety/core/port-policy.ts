/**
 * Which ports may be connected to. These rules hold whatever else is allowed: no list of hosts or networks, and no
 * permission for local hosts, opens a port that is refused here.
 *
 * The dangerous ones belong to text protocols that would take a Gopher selector or a Gemini URL for commands, and to
 * stores that commonly run without a password on an inside network.
 */
import { failure, type Failure } from '../../common/error-codes.js';
import { DANGEROUS_PORTS } from '../../common/net/dangerous-ports.js';

/** The port rules of one protocol. */
export interface PortPolicy {
  /** The only ports allowed; null = all but the dangerous ones. */
  readonly allowedPorts: ReadonlySet<number> | null;
  /** Start of this protocol's variable names, e.g. `GOPHER_`. */
  readonly variablePrefix: string;
}

/** Why `port` of `host` is not connected to: BLOCKED, reason `port`; null when it may be. */
export function checkPort(host: string, port: number, policy: PortPolicy): Failure | null {
  if (policy.allowedPorts?.has(port) === false) {
    return failure(
      'BLOCKED',
      `Port ${port} of ${host} is not among the ports that ${policy.variablePrefix}ALLOWED_PORTS lists.`,
      { reason: 'port', next_step: 'Do not retry: only the operator of this server can add the port to that list.' },
    );
  }
  const service = DANGEROUS_PORTS.get(port);
  if (service === undefined) return null;
  return failure(
    'BLOCKED',
    `Port ${port} of ${host} is never connected to, because it belongs to ${service}; ` +
      `${policy.variablePrefix}ALLOWED_PORTS cannot open it.`,
    { reason: 'port', next_step: 'Do not retry: no setting allows this port.' },
  );
}
