/**
 * Loaded into a server under test with `--import`: appends to the file TURN_METER_FILE the CPU milliseconds of each turn of the event
 * loop that took more than a few. CPU time of the main thread alone where the system tells it (Linux), else of the process; the time
 * that a busy machine takes away counts for neither.
 */
import { appendFileSync, closeSync, openSync, readSync } from 'node:fs';

const file = process.env.TURN_METER_FILE;
const NOTICED_MS = 5;
const readCpuMs = mainThreadClock() ?? processClock;
let lastMs = readCpuMs();

// Not referenced: it runs in every turn without causing any, and does not keep the process alive.
setImmediate(measure).unref();

function measure() {
  const spentMs = readCpuMs() - lastMs;
  if (spentMs > NOTICED_MS) appendFileSync(file, `${spentMs.toFixed(1)}\n`);
  lastMs = readCpuMs();
  setImmediate(measure).unref();
}

/** First figure of schedstat: nanoseconds on a processor. The first thread has the number of the process. */
function mainThreadClock() {
  try {
    const descriptor = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
    process.once('exit', () => closeSync(descriptor));
    const bytes = Buffer.alloc(64);
    return () =>
      Number.parseInt(bytes.toString('latin1', 0, readSync(descriptor, bytes, 0, bytes.length, 0)), 10) / 1e6;
  } catch {
    return null;
  }
}

function processClock() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
