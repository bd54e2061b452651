export { Log, type LogFields, type LogLevel } from './log.port.js';
export { openLog, type LogEdge, type LogOptions, type OpenedLog } from './open-log.js';
