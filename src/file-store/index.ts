/** What the stores of pins and identities stand on: where files are, and how several processes change them safely. */
export type { StateLocations, StatePaths, Surroundings } from './core/state-locations.js';
export { isMissing, isSameState, nodeFileSystem, type FileSystem } from './io/file-system.js';
export { KeyedJsonFile, type Change, type Edit, type EntryCodec } from './io/keyed-json-file.js';
export { homeDirectory, locateState, makePrivateFolder } from './io/locate-state.js';
export { createPrivateFile, flushFolder, replaceFile } from './io/replace-file.js';
export { WriteProbe } from './io/write-probe.js';
export { LocatedState, StatePlatform } from './located-state.js';
