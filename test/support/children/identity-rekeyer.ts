/**
 * A process that rekeys a folder of identities, for tests that kill it. Arguments: the folder, the present state key, the one before.
 * Prints one line for each key that was replaced.
 */
import { FileIdentityArchive } from '../../../src/cert/io/file-identity-archive.js';
import { AesKeySealer } from '../../../src/cert/io/aes-key-sealer.js';
import { rekeyIdentities } from '../../../src/cert/rekey-identities.js';
import { SystemClock } from '../../../src/clock/system-clock.js';

const [directory = '', current = '', previous = ''] = process.argv.slice(2);
const sealer = new AesKeySealer(current, previous);
const archive = new FileIdentityArchive({
  directory,
  clock: new SystemClock(),
  platform: process.platform,
  sealer,
});
const replaceKey = archive.replaceKey.bind(archive);
archive.replaceKey = async (...args) => {
  process.stdout.write('replacing\n');
  return replaceKey(...args);
};
const report = await rekeyIdentities(archive, sealer);
process.stdout.write(report.ok ? 'done\n' : `failed ${report.error.code}\n`);
