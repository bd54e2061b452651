/**
 * A process that works on a pin file, for tests with several processes. Arguments: what to do, the file, and a word for its host
 * names or a count. Prints one line for each thing that is done, when it is done.
 */
import { SystemClock } from '../../../src/clock/system-clock.js';
import { JsonFileTrustStore } from '../../../src/trust/io/json-file-trust-store.js';
import type { PinRecord } from '../../../src/trust/core/pin-record.js';

const [task = '', path = '', word = '', count = '0'] = process.argv.slice(2);

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const store = new JsonFileTrustStore({
  path,
  clock: new SystemClock(),
  platform: process.platform,
  warn: ({ code }) => say(`warning ${code}`),
});

function pin(): PinRecord {
  const nowSeconds = Date.now() / 1000;
  return {
    fingerprint: 'aa'.repeat(32),
    firstSeenSeconds: nowSeconds,
    lastSeenSeconds: nowSeconds,
    expiresSeconds: nowSeconds + 1000,
    spki: null,
    extra: {},
  };
}

async function pinHost(host: string): Promise<void> {
  const written = await store.update({ host, port: 1965 }, () => ({ write: pin(), value: null }));
  say(written.ok ? `pinned ${host}` : `failed ${written.error.code}`);
}

async function readHost(host: string): Promise<void> {
  const read = await store.read({ host, port: 1965 });
  say(read.ok ? `read ${read.value === null ? 'nothing' : 'a pin'}` : `failed ${read.error.code}`);
}

switch (task) {
  /** Pins `count` hosts. */
  case 'pin':
    for (let i = 0; i < Number(count); i++) await pinHost(`${word}-${i}.example`);
    break;
  /** Pins until it is killed. */
  case 'pin-on':
    for (let i = 0; ; i++) await pinHost(`${word}-${i}.example`);
  /** Sees every host there is and writes that, `count` times. */
  case 'see': {
    say('seeing');
    for (let i = 0; i < Number(count); i++) {
      const pins = await store.readAll();
      for (const key of pins.ok ? pins.value.keys() : []) {
        const host = key.slice(0, key.lastIndexOf(':'));
        store.sighted(
          { host, port: 1965 },
          { ...pin(), seenSeconds: Date.now() / 1000, expiresSeconds: 2_000_000_000 },
        );
      }
      await store.close();
    }
    break;
  }
  /** Tries a read, a new pin and a sighting. */
  case 'try':
    await readHost(`${word}.example`);
    await pinHost('new.example');
    await readHost('new.example');
    store.sighted(
      { host: `${word}.example`, port: 1965 },
      { ...pin(), seenSeconds: 4_000_000_000, expiresSeconds: 4_000_000_000 },
    );
    break;
  default:
    throw new Error(`unknown task ${task}`);
}
await store.close();
say('done');
