/** How much may be asked for in a minute; null = as much as anybody likes. */
export interface QuotaLimits {
  /** Pages of all callers of one tenant together. */
  readonly tenantPerMinute: number | null;
  /** Pages of one caller. */
  readonly subjectPerMinute: number | null;
}

/** Knows what a tenant was granted. */
export interface TenantQuotas {
  /** The limits of a tenant; what it was not granted itself are those of the settings. */
  of(tenant: string): QuotaLimits;
}

/** Injection token of {@link TenantQuotas}. */
export const TenantQuotas = Symbol('TenantQuotas');

/** The same limits for every tenant. */
export function sameForAll(limits: QuotaLimits): TenantQuotas {
  return { of: () => limits };
}
