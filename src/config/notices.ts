/** What an operator should know about a configuration that is valid: settings without effect, typing mistakes, open doors. */
import { isLoopbackHost } from '../common/net/loopback.js';
import type { AuthConfig } from './auth.config.js';
import { isAuthOn } from './auth-problems.js';
import type { AuditConfig } from './audit.config.js';
import { nearestName } from './edit-distance.js';
import type { GatewayConfig } from './gateway.config.js';
import type { GeminiConfig } from './gemini.config.js';
import type { ProtocolConfig } from './protocol.config.js';

/** One line of the log at start. */
export interface ConfigNotice {
  readonly level: 'info' | 'warning';
  readonly event: string;
  readonly fields: Readonly<Record<string, string | number | boolean | readonly number[]>>;
}

/**
 * A variable that looks like ours and is none: a typing mistake in it silently loses a setting. The value is never shown.
 * `GEMINI_` is a prefix of other products too, so without a near name of ours that is information, not a warning.
 */
export function unknownVariable(name: string, known: readonly string[]): ConfigNotice {
  const nearest = nearestName(name, known);
  const isForeign = nearest === null && name.startsWith('GEMINI_');
  return {
    level: isForeign ? 'info' : 'warning',
    event: 'unknown variable ignored',
    fields: nearest === null ? { variable: name } : { variable: name, did_you_mean: nearest },
  };
}

/** Ports that stay closed although `variable` lists them; null when there are none. */
export function closedPorts(
  variable: string,
  { allowedPorts }: ProtocolConfig,
  isClosed: (port: number) => boolean,
): ConfigNotice | null {
  const closed = (allowedPorts ?? []).filter(isClosed);
  if (closed.length === 0) return null;
  return { level: 'warning', event: 'listed ports stay closed', fields: { variable, ports: closed } };
}

/** An HTTP endpoint that other machines can reach, while nobody has to say who they are; null when there is none. */
export function openEndpoint(
  { transport, host, port, allowedHosts }: GatewayConfig,
  auth: AuthConfig,
): ConfigNotice | null {
  if (transport === 'stdio' || isLoopbackHost(host) || isAuthOn(auth)) return null;
  return {
    level: 'warning',
    event: 'other machines can reach this server without authentication',
    fields: {
      host,
      port,
      host_check: allowedHosts !== null,
      remedy:
        allowedHosts === null
          ? 'Set GOPHER_MCP_AUTH, or listen on 127.0.0.1 behind a proxy that authenticates, or name the hosts that clients use with --allowed-host and limit who can connect.'
          : 'Set GOPHER_MCP_AUTH, or listen on 127.0.0.1 behind a proxy that authenticates, or limit who can connect.',
    },
  };
}

/** Authentication that was asked for where nobody calls over HTTP; null when there is none. */
export function idleAuthentication({ transport }: GatewayConfig, auth: AuthConfig): ConfigNotice | null {
  if (transport !== 'stdio' || !isAuthOn(auth)) return null;
  return {
    level: 'warning',
    event: 'no authentication over stdio',
    fields: { variable: 'GOPHER_MCP_AUTH', remedy: 'Serve over HTTP, or unset it.' },
  };
}

/** Metrics that were asked for where nothing serves them; null when there are none. */
export function idleMetrics({ transport, metricsPort }: GatewayConfig): ConfigNotice | null {
  if (transport !== 'stdio' || metricsPort === null) return null;
  return {
    level: 'warning',
    event: 'no metrics over stdio',
    fields: { variable: 'GOPHER_MCP_METRICS_PORT', remedy: 'Serve over HTTP, or unset it.' },
  };
}

/** Hashes that were asked for where there are no lines to carry them; null when there are none. */
export function idleChain({ auditFile, auditChain, auditKey }: AuditConfig): ConfigNotice | null {
  if ((auditFile !== null && (auditChain || auditKey === null)) || (!auditChain && auditKey === null)) return null;
  return {
    level: 'warning',
    event: 'no audit chain',
    fields: {
      variable: auditChain ? 'GOPHER_MCP_AUDIT_CHAIN' : 'GOPHER_MCP_AUDIT_KEY',
      remedy: auditFile === null ? 'Name a file with GOPHER_MCP_AUDIT_FILE.' : 'Set GOPHER_MCP_AUDIT_CHAIN.',
    },
  };
}

/** Gemini servers that nobody authenticates; null while pins are checked. */
export function uncheckedServers({ tofuEnabled }: GeminiConfig): ConfigNotice | null {
  if (tofuEnabled) return null;
  return {
    level: 'warning',
    event: 'Gemini servers are not authenticated',
    fields: { variable: 'GEMINI_TOFU_ENABLED', remedy: 'Leave it on unless another layer authenticates them.' },
  };
}

/** A `.env` file is picked up from wherever the server happens to be started. */
export function envFileUsed(variables: number): ConfigNotice {
  return { level: 'info', event: 'settings read from .env in the working directory', fields: { variables } };
}
