/** `gopher-mcp identity rekey`: the stored private keys under another state key, or in plain. */
import { KeySealer, OpenIdentityArchive, rekeyIdentities, type LeftKey } from '../cert/index.js';
import { EXIT, type RunnableCommand } from './command.js';
import { printableLine } from './printable.js';
import { storeFailure } from './store-report.js';
import { withServices } from './with-services.js';

/** See the file's header. */
export const identityRekey: RunnableCommand = {
  name: 'rekey',
  summary: 'encrypt all stored private keys with the present state key',
  details: `GOPHER_MCP_STATE_KEY is the new key, GOPHER_MCP_STATE_KEY_OLD the one before, if there was one; each can come from a file
(GOPHER_MCP_STATE_KEY_FILE, GOPHER_MCP_STATE_KEY_OLD_FILE). Keys in plain are encrypted as well. A server that has both keys goes
on meanwhile. Every key is replaced as a whole: a run that was stopped is simply run again.

With --decrypt, and GOPHER_MCP_STATE_KEY_OLD alone, all keys become plain PEM files again.

Exit code 0: every key has the right form. 1: some were left as they were. 2: the command line or the settings are wrong.`,
  operands: [],
  options: { decrypt: { type: 'boolean', description: 'store the keys in plain' } },
  run: (context, args) =>
    withServices(context, async (services) => {
      const sealer = services.get<KeySealer>(KeySealer);
      if (sealer.encrypts === args.flag('decrypt')) {
        const advice = sealer.encrypts
          ? '--decrypt needs the key as GOPHER_MCP_STATE_KEY_OLD, and no GOPHER_MCP_STATE_KEY'
          : 'GOPHER_MCP_STATE_KEY is not set; --decrypt stores the keys in plain';
        context.stderr.write(`gopher-mcp: error: ${advice}\n`);
        return EXIT.usage;
      }
      const archive = await services.get<OpenIdentityArchive>(OpenIdentityArchive)();
      if (!archive.ok) return storeFailure(context, archive.error);
      const report = await rekeyIdentities(archive.value, sealer);
      if (!report.ok) return storeFailure(context, report.error);
      const { rekeyed, unchanged, left } = report.value;
      const form = sealer.encrypts ? 'encrypted with the present key' : 'stored in plain';
      context.stdout.write(`${rekeyed} private keys were ${form}, ${unchanged} were already.\n`);
      for (const key of left) context.stderr.write(`${printableLine(leftKeyLine(key))}\n`);
      return left.length === 0 ? EXIT.ok : EXIT.failed;
    }),
};

function leftKeyLine({ tenant, stem, reason }: LeftKey): string {
  const key = `left as it was: key ${stem} of tenant ${tenant}`;
  switch (reason.kind) {
    case 'other_key':
      return `${key}: it needs the state key with id ${reason.keyId}`;
    case 'damaged':
      return `${key}: it is damaged, or belongs to another identity`;
    case 'changed':
      return `${key}: it was changed at this moment; run the command again`;
  }
}
