/**
 * Server processes that outlive the one that starts them. Each has a process group, a log and a record in `<dir>/run/NAME.json` with its
 * start time: a number that has since been given to another process is never taken for ours.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';

const HOST = '127.0.0.1';
const START_DEADLINE_MS = 20_000;
const STOP_DEADLINE_MS = 3_000;
const POLL_MS = 50;

const record = (dir, name) => path.join(dir, 'run', `${name}.json`);

/** Starts `command` and waits until `port` answers: a TCP connection, or a TLS handshake where `tls` is set. */
export async function startProcess(dir, name, { command, args, port, tls: speaksTls = false }) {
  const logFile = path.join(dir, 'log', `${name}.log`);
  const log = openSync(logFile, 'w');
  // Debian puts daemons into sbin, which is not on everybody's path.
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
  const child = spawn(command, args, { detached: true, stdio: ['ignore', log, log], env });
  closeSync(log);
  await once(child, 'spawn');
  child.unref();
  writeFileSync(record(dir, name), JSON.stringify({ pid: child.pid, started: startTime(child.pid) }));
  const answers = speaksTls ? answersTls : answersTcp;
  const deadlineMs = Date.now() + START_DEADLINE_MS;
  while (!(await answers(port))) {
    if (findProcess(dir, name) === null || Date.now() > deadlineMs) {
      await stopProcess(dir, name);
      throw new Error(`${name} did not start:\n${readFileSync(logFile, 'utf8').slice(-2000)}`);
    }
    await sleep(POLL_MS);
  }
}

/** Ends the process and its group; whether there was one. */
export async function stopProcess(dir, name) {
  const pid = findProcess(dir, name);
  if (pid !== null) {
    // Where process 1 collects no orphans, their remains stay in the group for ever: killed, they count as gone.
    if (!(await groupEnds(pid, 'SIGTERM'))) await groupEnds(pid, 'SIGKILL');
  }
  rmSync(record(dir, name), { force: true });
  return pid !== null;
}

/** The number of the process that was started under `name` and still runs, or null. */
export function findProcess(dir, name) {
  try {
    const { pid, started } = JSON.parse(readFileSync(record(dir, name), 'utf8'));
    return startTime(pid) === started ? pid : null;
  } catch {
    return null;
  }
}

/** Field 22 of /proc/PID/stat; the name in field 2 may hold spaces. Null when there is no such process, or only its remains. */
function startTime(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return fields[0] === 'Z' ? null : fields[19];
  } catch {
    return null;
  }
}

/** Sends the signal and waits, within a bound, until nobody of the group is left; whether that came. */
async function groupEnds(leader, signal) {
  const deadlineMs = Date.now() + STOP_DEADLINE_MS;
  for (let next = signal; signalGroup(leader, next); next = 0) {
    if (Date.now() > deadlineMs || startTime(leader) === null) return signal === 'SIGKILL';
    await sleep(POLL_MS);
  }
  return true;
}

/** Whether anybody in the group was there to get the signal; 0 only asks. */
function signalGroup(leader, signal) {
  try {
    return process.kill(-leader, signal);
  } catch (error) {
    if (error.code === 'ESRCH') return false;
    throw error;
  }
}

function answersTcp(port) {
  return connects(net.connect({ host: HOST, port }), 'connect');
}

function answersTls(port) {
  return connects(
    tls.connect({ host: HOST, port, servername: 'localhost', rejectUnauthorized: false }),
    'secureConnect',
  );
}

function connects(socket, event) {
  return new Promise((resolve) => {
    const settle = (value) => {
      socket.destroy();
      resolve(value);
    };
    socket.setTimeout(2000, () => settle(false));
    socket.on('error', () => settle(false));
    socket.on(event, () => settle(true));
    socket.on('close', () => settle(false));
  });
}
