import { ERROR_CODES } from '../common/error-codes.js';
import { asError } from '../common/thrown.js';
import type { FetchObserver, FetchRecord } from '../fetch/index.js';
import type { Log } from '../logging/index.js';

/**
 * One log line a fetch, and one more where the connection showed what it should not: debug when it succeeded, info when it was refused
 * or failed as such things do, error when the fault lies here. What was asked for (URL, selector, path) shows at debug only; a Gemini
 * query shows nowhere, as it is in no echo. The address for which a host was refused shows here and in no result.
 */
export class FetchLog implements FetchObserver {
  constructor(private readonly log: Log) {}

  onFetch(record: FetchRecord): void {
    if (record.warning !== undefined) this.#warn(record);
    if (record.code === undefined && !this.log.isEnabled('debug')) return;
    const { protocol, request, kind, code, reason, bytes, durationMs, source, trace, requestId, cause } = record;
    const fields = {
      protocol,
      host: request.host ?? null,
      port: request.port ?? null,
      response_type: kind,
      response_size: bytes,
      cached: source === 'cache' || source === 'held',
      duration_ms: Math.round(durationMs * 10) / 10,
      request_id: requestId,
      trace_id: trace?.traceId,
    };
    if (code === undefined) {
      const { url, type, selector, path, has_query } = request;
      this.log.debug('fetch done', { ...fields, url, gopher_type: type, selector, path, has_query });
      return;
    }
    const failed = { ...fields, code, ...(reason === undefined ? {} : { reason }), ...blockedAddress(record) };
    if (ERROR_CODES[code].origin === 'local' || reason === 'internal') {
      this.log.error('fetch failed', { ...failed, error: cause === undefined ? undefined : asError(cause) });
    } else this.log.info('fetch failed', failed);
  }

  #warn({ protocol, request: { host, port }, warning, trace, requestId }: FetchRecord): void {
    this.log.warning('client certificate shown', {
      protocol,
      host: host ?? null,
      port: port ?? null,
      warning,
      request_id: requestId,
      trace_id: trace?.traceId,
    });
  }
}

/** The address that the address policy refused; nothing for any other failure. */
function blockedAddress({ reason, cause }: FetchRecord): { readonly resolved_ip?: string } {
  if (reason !== 'address_class' || typeof cause !== 'object' || cause === null || !('address' in cause)) return {};
  return typeof cause.address === 'string' ? { resolved_ip: cause.address } : {};
}
