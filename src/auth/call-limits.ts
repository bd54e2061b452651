import type { Principal } from '../common/principal.js';
import type { CallLimits, TenantLimits } from '../common/tenant-rules.js';

/** What one caller and its whole tenant may ask for; null in it = as much as they like. */
export type LimitsOf = (principal: Principal) => TenantLimits | null;

/**
 * The limits of each principal: those that its tenant was granted, and where there is none the deployment's. Null for a principal
 * without any, so that it costs nothing.
 */
export function limitsOf(deployment: TenantLimits): LimitsOf {
  const isLimited = [deployment.tenant, deployment.subject].some(isLimit);
  const own = isLimited ? deployment : null;
  return ({ rules }) => {
    if (rules === undefined) return own;
    const { tenant, subject } = rules.quotas;
    if (!isLimit(tenant) && !isLimit(subject)) return own;
    return { tenant: joined(tenant, deployment.tenant), subject: joined(subject, deployment.subject) };
  };
}

function isLimit({ requestsPerMinute, concurrent }: CallLimits): boolean {
  return requestsPerMinute !== null || concurrent !== null;
}

function joined(granted: CallLimits, otherwise: CallLimits): CallLimits {
  return {
    requestsPerMinute: granted.requestsPerMinute ?? otherwise.requestsPerMinute,
    concurrent: granted.concurrent ?? otherwise.concurrent,
  };
}
