/** `gopher-mcp store`: pins and identities out of the stores, into them, and from files to Redis and back. */
import { readFile, writeFile } from 'node:fs/promises';
import { text as readText } from 'node:stream/consumers';
import {
  exportedIdentities,
  importIdentities,
  KeySealer,
  OpenIdentityArchive,
  readIdentities,
  type IdentityArchive,
  type TransferredIdentities,
} from '../cert/index.js';
import { asError } from '../common/thrown.js';
import { RedisConfig, type Config } from '../config/index.js';
import { exportPins, importPins, TrustStore, type ImportedPins } from '../trust/index.js';
import type { CommandArguments } from './command-arguments.js';
import type { CommandContext, CommandServices } from './command-context.js';
import { EXIT, type CommandGroup, type ExitCode, type RunnableCommand } from './command.js';
import { printableLine } from './printable.js';
import { refuseSettings } from './refuse-settings.js';
import { readStoreDocument, writeStoreDocument } from './store-document.js';
import { identityName, reportImport, storeFailure } from './store-report.js';

const REPLACE = {
  replace: { type: 'boolean', description: 'put what is imported in the place of what differs from it' },
} as const;

const exportCommand: RunnableCommand = {
  name: 'export',
  summary: 'write all pins and identities to a file or to stdout, as JSON',
  details: `The stores are those of the server: Redis where GOPHER_MCP_REDIS_URL is set, else the files. A FILE is made anew, for its owner
alone.

Private keys are encrypted with GOPHER_MCP_STATE_KEY, which the importing side then needs as well. Where none is set they are
written only with --plain-keys: whoever has the file then is every one of the identities.`,
  operands: [{ name: 'FILE', optional: true }],
  options: { 'plain-keys': { type: 'boolean', description: 'write private keys in plain' } },
  run: (context, args) => withStores(context, (stores) => exportStores(context, args, stores)),
};

const importCommand: RunnableCommand = {
  name: 'import',
  summary: 'merge the pins and identities of an export into the stores',
  details: `FILE is what "gopher-mcp store export" wrote; - is stdin. What the stores have is kept: a different pin or identity gives way with
--replace only. Private keys are stored as new ones are. It can be done again.

Exit code 0: all is there. 1: something was left out; it is named. 2: the command line, the file or the settings are wrong.`,
  operands: [{ name: 'FILE' }],
  options: REPLACE,
  run: async (context, args) => {
    const file = args.operand(0);
    let text: string;
    try {
      text = file === '-' ? await readText(context.stdin) : await readFile(file, 'utf8');
    } catch (error) {
      return refuse(context, `${file} cannot be read (${codeOf(error)})`);
    }
    const document = readStoreDocument(text);
    if (!document.ok) return refuse(context, `${file === '-' ? 'stdin' : file} cannot be imported: ${document.error}`);
    const { pins, identities } = document.value;
    return withStores(context, (stores) => importInto(context, stores, pins, identities, args.flag('replace')));
  },
};

const migrate: RunnableCommand = {
  name: 'migrate',
  summary: 'copy all pins and identities from the files to Redis, or back',
  details: `Both stores are named by the settings: GOPHER_MCP_REDIS_URL, and the places of the files. Nothing is deleted; what the target has is
kept, as with "import".

Example: gopher-mcp store migrate redis`,
  operands: [{ name: 'redis|files' }],
  options: REPLACE,
  run: async (context, args) => {
    const target = args.operand(0);
    if (target !== 'redis' && target !== 'files') return refuse(context, 'the target must be redis or files');
    const loaded = await context.loadConfig();
    if (!loaded.ok) return refuseSettings(context, loaded.error);
    const config = loaded.value;
    if (config.redis.redisUrl === null) return refuse(context, 'GOPHER_MCP_REDIS_URL is not set');
    const files = { ...config, redis: Object.assign(new RedisConfig(), config.redis, { redisUrl: null }) };
    const [from, to] = target === 'redis' ? [files, config] : [config, files];
    return withStoresOf(context, from, (source) =>
      withStoresOf(context, to, (stores) => migrateStores(context, source, stores, args.flag('replace'))),
    );
  },
};

/** See the file's header. */
export const storeCommand: CommandGroup = {
  name: 'store',
  summary: 'export, import and migrate pins and identities',
  commands: [exportCommand, importCommand, migrate],
};

/** The stores of one place. */
interface Stores {
  readonly pins: TrustStore;
  readonly sealer: KeySealer;
  /** Null where identities are turned off. */
  readonly archive: IdentityArchive | null;
}

async function withStores(context: CommandContext, work: (stores: Stores) => Promise<ExitCode>): Promise<ExitCode> {
  const loaded = await context.loadConfig();
  return loaded.ok ? withStoresOf(context, loaded.value, work) : refuseSettings(context, loaded.error);
}

async function withStoresOf(
  context: CommandContext,
  config: Config,
  work: (stores: Stores) => Promise<ExitCode>,
): Promise<ExitCode> {
  const services = await context.openServices(config);
  try {
    return await withArchive(context, services, config.gemini.clientCertsEnabled, work);
  } finally {
    await services.close();
  }
}

async function withArchive(
  context: CommandContext,
  services: CommandServices,
  hasIdentities: boolean,
  work: (stores: Stores) => Promise<ExitCode>,
): Promise<ExitCode> {
  const pins = services.get<TrustStore>(TrustStore);
  const sealer = services.get<KeySealer>(KeySealer);
  if (!hasIdentities) return work({ pins, sealer, archive: null });
  const archive = await services.get<OpenIdentityArchive>(OpenIdentityArchive)();
  return archive.ok ? work({ pins, sealer, archive: archive.value }) : storeFailure(context, archive.error);
}

async function exportStores(context: CommandContext, args: CommandArguments, stores: Stores): Promise<ExitCode> {
  const pins = await exportPins(stores.pins);
  if (!pins.ok) return storeFailure(context, pins.error);
  const read = await identitiesOf(stores);
  if (!read.ok) return storeFailure(context, read.error);
  const keys = args.flag('plain-keys') ? 'plain' : 'sealed';
  const identities = exportedIdentities(read.value, stores.sealer, keys);
  if (!identities.ok) {
    for (const one of identities.error)
      context.stderr.write(`cannot be exported: ${printableLine(`the identity for ${identityName(one)}`)}\n`);
    const advice =
      keys === 'sealed' && !stores.sealer.encrypts
        ? 'set GOPHER_MCP_STATE_KEY to encrypt private keys, or pass --plain-keys'
        : 'set the GOPHER_MCP_STATE_KEY, or GOPHER_MCP_STATE_KEY_OLD, with which they are encrypted';
    return refuse(context, advice);
  }
  const text = writeStoreDocument(pins.value, identities.value);
  const [file] = args.operands;
  if (file === undefined || file === '-') context.stdout.write(text);
  else {
    try {
      await writeFile(file, text, { mode: 0o600, flag: 'wx', flush: true });
    } catch (error) {
      return refuse(context, `${file} cannot be written (${codeOf(error)})`);
    }
  }
  let count = 0;
  for (const list of read.value.values()) count += list.length;
  context.stderr.write(`Exported ${Object.keys(pins.value).length} pins and ${count} identities.\n`);
  return EXIT.ok;
}

async function importInto(
  context: CommandContext,
  { pins: store, archive, sealer }: Stores,
  pins: ImportedPins,
  identities: TransferredIdentities,
  mayReplace: boolean,
): Promise<ExitCode> {
  const pinImport = await importPins(store, pins, mayReplace);
  if (!pinImport.ok) return storeFailure(context, pinImport.error);
  if (archive === null) return reportImport(context, pinImport.value, null);
  const identityImport = await importIdentities(archive, sealer, identities, mayReplace);
  if (!identityImport.ok) return storeFailure(context, identityImport.error);
  return reportImport(context, pinImport.value, identityImport.value);
}

async function migrateStores(
  context: CommandContext,
  source: Stores,
  target: Stores,
  mayReplace: boolean,
): Promise<ExitCode> {
  const pins = await source.pins.readAll();
  if (!pins.ok) return storeFailure(context, pins.error);
  const identities = await identitiesOf(source);
  if (!identities.ok) return storeFailure(context, identities.error);
  return importInto(context, target, pins.value, identities.value, mayReplace);
}

async function identitiesOf({ archive }: Stores): ReturnType<typeof readIdentities> {
  return archive === null ? { ok: true, value: new Map() } : readIdentities(archive);
}

function refuse({ stderr }: CommandContext, message: string): ExitCode {
  stderr.write(`gopher-mcp: error: ${printableLine(message)}\n`);
  return EXIT.usage;
}

/** The code of a system error, such as `ENOENT`. */
function codeOf(error: unknown): string {
  const thrown = asError(error);
  return 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : thrown.name;
}
