/** What a client that asked for log messages is told of its own fetches: how each ended, never what a page says. */
import type { LoggingLevel } from '@modelcontextprotocol/server';
import { ERROR_CODES } from '../common/error-codes.js';
import type { JsonObject } from '../common/json.js';
import type { FetchRecord } from '../fetch/index.js';
import { withoutQuery } from './visits.js';

/** RFC 5424 severities, the most talkative first. */
const LEVELS: readonly LoggingLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

/** Name of the logger in the messages. */
export const FETCH_LOGGER = 'fetch';

/** A message of the log. */
export interface FetchMessage {
  readonly level: LoggingLevel;
  readonly data: JsonObject;
}

/** Whether `value` names a level. */
export function isLevel(value: unknown): value is LoggingLevel {
  return LEVELS.some((level) => level === value);
}

/**
 * The message of one fetch, if `threshold` lets it through: `debug` for a success, `info` for a failure as it happens,
 * `warning` when something of this server is not available, `error` for a fault of ours. URLs come without query and search.
 */
export function fetchMessage(record: FetchRecord, threshold: LoggingLevel): FetchMessage | undefined {
  const level = levelOf(record);
  if (LEVELS.indexOf(level) < LEVELS.indexOf(threshold)) return undefined;
  const { request, kind, code, reason, source, durationMs } = record;
  return {
    level,
    data: {
      url: request.url === undefined ? undefined : withoutQuery(request.url),
      host: request.host,
      port: request.port,
      kind,
      code,
      reason,
      cached: source === 'cache' || source === 'held',
      ms: Math.round(durationMs * 10) / 10,
    },
  };
}

function levelOf({ code, reason }: FetchRecord): LoggingLevel {
  if (code === undefined) return 'debug';
  if (reason === 'internal') return 'error';
  return ERROR_CODES[code].origin === 'local' ? 'warning' : 'info';
}
