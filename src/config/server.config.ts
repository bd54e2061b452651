/** Settings of the process and of all tools: variables `GOPHER_MCP_*`. */
import { boolean, choice, integer, integerOrZero, path, toolNames } from './setting-kinds.js';
import { Setting } from './setting.js';

/** Log thresholds, the most talkative first. */
export const LOG_LEVELS = ['DEBUG', 'INFO', 'WARNING', 'ERROR', 'CRITICAL'] as const;

/** A member of {@link LOG_LEVELS}. */
export type LogThreshold = (typeof LOG_LEVELS)[number];

const MIB = 1_048_576;
const GIB = 1024 * MIB;

/** Effective settings of the server, and their injection token. */
export class ServerConfig {
  @Setting(choice(LOG_LEVELS), 'Threshold of the log, for all parts and libraries.')
  readonly logLevel: LogThreshold = 'INFO';

  @Setting(boolean(), 'One JSON object a line; off = plain lines.')
  readonly structuredLogging: boolean = true;

  @Setting(path(), 'File to which a copy of every log line is appended.')
  readonly logFilePath: string | null = null;

  @Setting(integer(MIB, 16 * GIB), 'Bytes that cached pages may take, beside the limit on their number.')
  readonly cacheMaxBytes: number = 64 * MIB;

  @Setting(
    integer(MIB, 16 * GIB),
    'Bytes that decoded documents may take which are kept so that the next part of a long page needs no download.',
  )
  readonly heldBodiesMaxBytes: number = 32 * MIB;

  @Setting(
    integerOrZero(4096, 16 * MIB),
    'Bytes of the structured content of one result; longer pages come in parts. 0 = no limit. Not applied to a kind of page whose own limit is set to 0.',
  )
  readonly maxResultBytes: number = 262_144;

  @Setting(toolNames(), 'When set, only these tools are listed and can be called.')
  readonly tools: readonly string[] | null = null;

  @Setting(boolean(), 'Hide and refuse every tool that changes pins or identities.')
  readonly readOnly: boolean = false;
}
