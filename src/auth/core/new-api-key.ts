/** What somebody asks for when an API key is to be made, checked. */
import { isTenantName, SCOPES } from '../../common/principal.js';
import { err, ok, type Result } from '../../common/result.js';
import { quote } from '../../common/text/quote.js';
import type { ApiKeyRecord } from './api-key-record.js';
import { isSubjectName, knownScopes } from './names.js';

/** A wish, as it was typed. */
export interface ApiKeyWish {
  readonly tenant: string;
  readonly subject: string;
  readonly scopes: readonly string[];
  /** `90d`, or a date with time or without, UTC where it does not say; null = never. */
  readonly expires: string | null;
}

/** Longest life of a key that has an end, in days. */
const MAX_DAYS = 3650;

const DAY_MS = 86_400_000;

/** The record for a wish, but for its hash; or what is wrong, in words for the person who typed it. */
export function plannedApiKey(wish: ApiKeyWish, nowMs: number): Result<Omit<ApiKeyRecord, 'hash'>, string> {
  const { tenant, subject } = wish;
  if (!isTenantName(tenant)) {
    return err(`the tenant must be 1 to 64 letters, digits, dots, dashes and underscores, got ${quote(tenant)}`);
  }
  if (!isSubjectName(subject)) {
    return err(`the subject must be 1 to 255 printable ASCII characters, got ${quote(subject)}`);
  }
  const given = knownScopes(wish.scopes);
  const foreign = wish.scopes.find((scope) => !knownScopes([scope]).size);
  if (foreign !== undefined) return err(`a scope must be one of ${SCOPES.join(', ')}, got ${quote(foreign)}`);
  if (given.size === 0) return err(`at least one scope is needed: ${SCOPES.join(', ')}`);
  const expiresMs = wish.expires === null ? null : endOf(wish.expires, nowMs);
  if (expiresMs !== null && !(expiresMs > nowMs && expiresMs <= nowMs + MAX_DAYS * DAY_MS)) {
    return err(`the end must be days such as 90d, or a date to come, at most ${MAX_DAYS} days away`);
  }
  const scopes = SCOPES.filter((scope) => given.has(scope));
  return ok({ tenant, subject, scopes, createdMs: nowMs, expiresMs, revokedMs: null });
}

/** Milliseconds since the epoch; NaN for what is neither a number of days nor a date. */
function endOf(text: string, nowMs: number): number {
  const days = /^(\d{1,4})d$/.exec(text)?.[1];
  if (days !== undefined) return nowMs + Number(days) * DAY_MS;
  return /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/.test(text) ? Date.parse(text) : NaN;
}
