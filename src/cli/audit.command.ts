/** `gopher-mcp audit`: checks the chain of hashes over audit lines, without a server. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { ChainCheck, LineHash, readHead, type BreakReason, type ChainLink, type ChainReport } from '../audit/index.js';
import { AUDIT_TO_STDERR, AUDIT_TO_STDOUT } from '../config/index.js';
import type { CommandContext } from './command-context.js';
import { EXIT, type CommandGroup, type ExitCode, type RunnableCommand } from './command.js';
import { printableLine } from './printable.js';
import { refuseSettings } from './refuse-settings.js';
import { systemCode } from './system-code.js';

const verify: RunnableCommand = {
  name: 'verify',
  summary: 'check that no line was changed, added or taken out',
  details: `Files that belong together are named in one call, the oldest first; without a file, the one of GOPHER_MCP_AUDIT_FILE.
The key, where there is one, is that of GOPHER_MCP_AUDIT_KEY.

The first line that does not fit is named. Lines missing at the end are found by the file AUDIT_FILE.head beside the last file, or
by --contains with a hash that was noted where nobody who can change the file can change it.

Exit code 0: everything fits. 1: something does not. 2: a file cannot be read, or the command line or the settings are wrong.`,
  operands: [{ name: 'FILE...', optional: true, multiple: true }],
  options: {
    contains: { type: 'string', value: 'HASH', description: 'fail unless a line with this hash is among them' },
  },
  run: async (context, args) => {
    const loaded = await context.loadConfig();
    if (!loaded.ok) return refuseSettings(context, loaded.error);
    const { auditFile, auditKey } = loaded.value.audit;
    const isFile = auditFile !== null && auditFile !== AUDIT_TO_STDOUT && auditFile !== AUDIT_TO_STDERR;
    const files = args.operands.length > 0 || !isFile ? args.operands : [auditFile];
    if (files.length === 0) {
      context.stderr.write('gopher-mcp: error: name a file, or set GOPHER_MCP_AUDIT_FILE\n');
      return EXIT.usage;
    }
    return verifyFiles(context, files, new ChainCheck(new LineHash(auditKey), args.text('contains')));
  },
};

/** See the file's header. */
export const auditCommand: CommandGroup = {
  name: 'audit',
  summary: 'check the chain of hashes over audit lines',
  commands: [verify],
};

/** A file, and the number of the line before its first. */
interface ReadFile {
  readonly file: string;
  readonly linesBefore: number;
}

async function verifyFiles(context: CommandContext, files: readonly string[], check: ChainCheck): Promise<ExitCode> {
  const read: ReadFile[] = [];
  let count = 0;
  let head: ChainLink | null = null;
  for (const file of files) {
    read.push({ file, linesBefore: count });
    try {
      for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
        check.push(line);
        count += 1;
      }
      head = await readHead(file);
    } catch (error) {
      context.stderr.write(`gopher-mcp: error: ${printableLine(file)} cannot be read (${systemCode(error)})\n`);
      return EXIT.usage;
    }
  }
  const report = check.report();
  const wrong = faultOf(report, read, head);
  if (wrong !== null) {
    context.stdout.write(`broken: ${wrong}\n`);
    return EXIT.failed;
  }
  const { lines, firstSeq, last, fragments } = report;
  context.stdout.write(`ok: ${lines} lines, ${firstSeq ?? 0} to ${last?.seq ?? 0}, last hash ${last?.hash ?? ''}\n`);
  if (fragments > 0)
    context.stdout.write(`note: ${fragments} pieces of lines that a crash left, with nothing missing around them\n`);
  return EXIT.ok;
}

function faultOf(
  { broken, last, isSoughtFound }: ChainReport,
  read: readonly ReadFile[],
  head: ChainLink | null,
): string | null {
  if (broken !== null) {
    const { file, linesBefore } = read.findLast((one) => one.linesBefore < broken.line) ?? { file: '', linesBefore: 0 };
    return `${printableLine(file)}, line ${broken.line - linesBefore}: ${REASONS[broken.reason]}`;
  }
  if (last === null) return 'there is no line with a hash';
  if (!isSoughtFound)
    return 'no line has the hash that was asked for: lines are missing, or it belongs to another audit';
  if (head === null || head.seq < last.seq) return null;
  if (head.seq > last.seq) return `${head.seq - last.seq} lines are missing at the end, after number ${last.seq}`;
  return head.hash === last.hash ? null : `line number ${last.seq} is not the one that was noted when it was written`;
}

const REASONS: Readonly<Record<BreakReason, string>> = {
  changed: 'it was changed, or the key is another one',
  'not the next': 'it does not follow the line before: lines were taken out, added or moved',
  'not sealed': 'it has no hash, or its end is missing',
};
