/** Settings of how much this server takes on, and how much of it for one caller: variables `GOPHER_MCP_*`. */
import { optionalInteger } from './setting-kinds.js';
import { Setting } from './setting.js';

/** Calls that run at once over HTTP, unless the operator says otherwise. */
export const DEFAULT_MAX_IN_FLIGHT = 256;

/** Calls that wait over HTTP, unless the operator says otherwise. */
export const DEFAULT_MAX_QUEUED = 256;

/** Effective settings of quotas and overload, and their injection token. */
export class LimitsConfig {
  @Setting(
    optionalInteger(1, 100_000),
    `Tool calls and reads of resources that run at once, in the whole process. Unset = ${DEFAULT_MAX_IN_FLIGHT} over HTTP, no limit over stdio.`,
  )
  readonly maxInFlight: number | null = null;

  @Setting(
    optionalInteger(0, 100_000),
    `Calls that wait, up to 30 seconds, until one of those has ended; the next one is refused at once with OVERLOADED. Unset = ${DEFAULT_MAX_QUEUED}.`,
  )
  readonly maxQueued: number | null = null;

  @Setting(
    optionalInteger(1, 1_000_000),
    'Pages that all callers of one tenant together may ask for in a minute, cached ones included; a batch counts one for each URL. What is too much is refused with QUOTA_EXCEEDED. Unset = no limit.',
  )
  readonly quotaTenantPerMinute: number | null = null;

  @Setting(
    optionalInteger(1, 1_000_000),
    'The same for one caller. Callers who need not say who they are count by their address. Unset = no limit.',
  )
  readonly quotaSubjectPerMinute: number | null = null;

  @Setting(
    optionalInteger(1, 100_000),
    'Calls that all callers of one tenant together may have under way or waiting at this process; one more is refused with QUOTA_EXCEEDED. Unset = no limit.',
  )
  readonly quotaTenantConcurrent: number | null = null;

  @Setting(optionalInteger(1, 100_000), 'The same for one caller. Unset = no limit.')
  readonly quotaSubjectConcurrent: number | null = null;
}

/** Whether anything is limited: over HTTP always, over stdio where the operator wants it. */
export function isLimited({ maxInFlight, maxQueued: _, ...quotas }: LimitsConfig, isHttp: boolean): boolean {
  return isHttp || maxInFlight !== null || Object.values(quotas).some((limit) => limit !== null);
}
