/** All commands of a person, in the order in which they are listed. A command is a file of its own, loaded when it is asked for. */
import type { CommandRow } from './command.js';

/** See the file's header. */
export const COMMAND_TABLE: readonly CommandRow[] = [];
