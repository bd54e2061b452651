/**
 * The log of the process: stderr always, stdout never, and a copy in a file when there is one. One record is one line: a JSON
 * object with `event`, `level`, `timestamp` and free fields, or a plain line.
 */
import type { LoggerService } from '@nestjs/common';
import { pino, type Logger } from 'pino';
import { err, ok, type Result } from '../common/result.js';
import type { ConfigProblem, LogThreshold } from '../config/index.js';
import { plainLine } from './core/plain-line.js';
import { logTimestamp } from './core/timestamp.js';
import { errorText, isError } from './error-text.js';
import { DescriptorWriter, openForAppending, STDERR, type LineWriter } from './io/line-writer.js';
import type { Log } from './log.port.js';
import { NestLogger } from './nest-logger.js';
import { LEVEL_BY_LABEL, PinoLog } from './pino-log.js';

/** The settings of the log, as ServerConfig has them. */
export interface LogOptions {
  readonly logLevel: LogThreshold;
  readonly structuredLogging: boolean;
  /** Null = stderr only. */
  readonly logFilePath: string | null;
}

/** What the log touches; replaced in tests. */
export interface LogEdge {
  /** Default: file descriptor 2. */
  readonly stderr?: LineWriter;
  /** Milliseconds since the epoch. Default: the system clock. */
  readonly nowMs?: () => number;
}

/** One log in three forms. */
export interface OpenedLog {
  readonly log: Log;
  /** For libraries that want pino, such as request logging. */
  readonly pino: Logger;
  /** For `NestFactory`. */
  readonly nest: LoggerService;
  /** Closes the file. Records after that go to stderr alone. */
  close(): void;
}

/** Opens the log. Fails when the file cannot be opened; nothing is open then. */
export function openLog(options: LogOptions, edge: LogEdge = {}): Result<OpenedLog, ConfigProblem[]> {
  const stderr = edge.stderr ?? new DescriptorWriter(STDERR);
  const file = options.logFilePath === null ? ok(null) : openForAppending(options.logFilePath);
  if (!file.ok) return err([unusableFile(options.logFilePath, file.error)]);
  const nowMs = edge.nowMs ?? Date.now;
  let copy: DescriptorWriter | null = null;

  const output: LineWriter = {
    write(record) {
      const line = options.structuredLogging ? record : plainLine(record);
      stderr.write(line);
      copy?.write(line);
    },
  };
  const shared = pino(
    {
      level: THRESHOLDS[options.logLevel],
      base: null,
      messageKey: 'event',
      errorKey: 'exception',
      serializers: { exception: errorsAsText, err: errorsAsText },
      timestamp: () => `,"timestamp":"${logTimestamp(nowMs())}"`,
      formatters: { level: (label) => ({ level: LEVEL_BY_LABEL[label] ?? label }) },
    },
    output,
  );
  const log = new PinoLog(shared);
  if (file.value !== null) {
    const descriptor = file.value;
    copy = new DescriptorWriter(descriptor, () => log.error('log file cannot be written, records are missing there'));
  }
  return ok({
    log,
    pino: shared,
    nest: new NestLogger(log),
    close() {
      copy?.close();
      copy = null;
    },
  });
}

/** For libraries that log through pino itself; {@link PinoLog} does this for every field. */
function errorsAsText(value: unknown): unknown {
  return isError(value) ? errorText(value) : value;
}

const THRESHOLDS = {
  DEBUG: 'debug',
  INFO: 'info',
  WARNING: 'warn',
  ERROR: 'error',
  CRITICAL: 'fatal',
} as const satisfies Record<LogThreshold, string>;

function unusableFile(path: string | null, systemCode: string): ConfigProblem {
  const why = FILE_FAULTS[systemCode] ?? systemCode;
  return {
    name: 'GOPHER_MCP_LOG_FILE_PATH',
    requirement: `must be a file that can be opened for appending (${why})`,
    rejected: path,
  };
}

const FILE_FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
};
