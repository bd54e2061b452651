/** Names of the programs of others that judge the server. */
export type ProgramName = 'node' | 'conformance-stable' | 'conformance-next' | 'inspector' | 'python-1' | 'python-2';

/** One of them, in an exact version. */
export interface Program {
  readonly version: string;
  /** The file to run. */
  readonly entry: string;
  isInstalled(): boolean;
  install(): void;
}

export declare const PROGRAMS: Readonly<Record<ProgramName, Program>>;

/** Installs these programs where they are missing, and says so on stderr. */
export declare function ensurePrograms(names: readonly string[]): void;

/** The file to run; throws when it is not installed. */
export declare function entryOf(name: ProgramName): string;
