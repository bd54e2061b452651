#!/usr/bin/env node
/**
 * Starts and stops real Gopher and Gemini servers on loopback, with the trees of gopher-tree.mjs and gemini-tree.mjs. Linux only.
 *
 *   servers.mjs start [NAME...]      starts those not running yet, waits until each answers, writes servers.json
 *   servers.mjs stop [NAME...]       ends what start began, and nothing else
 *   servers.mjs status               one line each
 *   servers.mjs rotate NAME          new key and certificate for a Gemini server, and a restart: a real certificate change
 *   servers.mjs admit FINGERPRINT    lets a client certificate (SHA-256, hex) into /certzone/ of molly-brown, and restarts it
 *
 * Environment: REALSERVERS_DIR        trees, configurations, logs, servers.json (default: a folder in the temporary directory)
 *              REALSERVERS_CACHE      where install.sh put jetforce and agate
 *              REALSERVERS_BASE_PORT  the first of eight ports (default 27070)
 */
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { CERTIFICATE_NAMES, writeCertificate } from './certificates.mjs';
import { geminiTree } from './gemini-tree.mjs';
import { gopherTree } from './gopher-tree.mjs';
import { findProcess, startProcess, stopProcess } from './processes.mjs';

const NAMES = ['gophernicus', 'pygopherd', 'molly', 'jetforce', 'agate', 'expired', 'notyet', 'redis'];
const HOST = '127.0.0.1';

const env = process.env;
const dir = env.REALSERVERS_DIR ?? path.join(tmpdir(), 'gopher-mcp-realservers');
const cache =
  env.REALSERVERS_CACHE ?? path.join(env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache'), 'gopher-mcp-realservers');
const basePort = Number(env.REALSERVERS_BASE_PORT ?? 27070);
const isRoot = userInfo().uid === 0;

const at = (...parts) => path.join(dir, ...parts);
const gopherRoot = at('gopher');
const geminiRoot = at('gemini');
const ports = Object.fromEntries(NAMES.map((name, index) => [name, basePort + index]));

/** How each server is started: a command, its arguments, and whether it speaks TLS. */
const STARTERS = {
  gophernicus() {
    // An inetd program that refuses to run as root; socat accepts and hands it the socket.
    const user = isRoot ? ',su=nobody' : '';
    const program = `gophernicus -h ${HOST} -p ${ports.gophernicus} -r ${rootForNobody()} -nv -nu -i 1000000 -k 100000000`;
    return { command: 'socat', args: [listen('gophernicus'), `EXEC:${program},nofork${user}`] };
  },
  pygopherd() {
    const settings = {
      pygopherd: {
        pidfile: at('run', 'pygopherd.own.pid'),
        port: ports.pygopherd,
        interface: HOST,
        servername: HOST,
        servertype: 'ThreadingTCPServer',
        usechroot: 'no',
        root: gopherRoot,
        mimetypes: '/etc/mime.types',
      },
      logger: { logmethod: 'file' },
      'handlers.HandlerMultiplexer': {
        handlers:
          '[url.HTMLURLHandler, gophermap.BuckGophermapHandler, scriptexec.ExecHandler, UMN.UMNDirHandler, html.HTMLFileTitleHandler, file.FileHandler]',
      },
    };
    const file = at('conf', 'pygopherd.conf');
    writeFileSync(file, overrideIni(readFileSync('/etc/pygopherd/pygopherd.conf', 'utf8'), settings));
    return { command: 'pygopherd', args: [file] };
  },
  molly() {
    const file = at('conf', 'molly.conf');
    writeFileSync(file, mollyConfig());
    const socket = at('run', 'molly.sock');
    rmSync(socket, { force: true });
    // It listens on every address, so it gets a network of its own, joined to loopback by a socket in the file system.
    const inside =
      'ip link set lo up; socat UNIX-LISTEN:"$1",fork,mode=600 TCP4:127.0.0.1:"$2" & exec molly-brown -c "$3"';
    const unshare = isRoot ? 'unshare -n' : 'unshare -Urn';
    const outside = `${unshare} sh -c '${inside}' molly "$1" "$2" "$3" & exec socat "$4" UNIX-CONNECT:"$1"`;
    return {
      command: 'sh',
      args: ['-c', outside, 'molly', socket, String(ports.molly), file, listen('molly')],
      tls: true,
    };
  },
  jetforce: () => jetforce('jetforce'),
  expired: () => jetforce('expired'),
  notyet: () => jetforce('notyet'),
  agate() {
    const certificates = at('certs', 'agate');
    mkdirSync(certificates, { recursive: true });
    cpSync(at('certs', 'agate.crt.der'), path.join(certificates, 'cert.der'));
    cpSync(at('certs', 'agate.key.der'), path.join(certificates, 'key.der'));
    const where = ['--content', geminiRoot, '--certs', certificates, '--addr', `${HOST}:${ports.agate}`];
    return { command: path.join(cache, 'agate'), args: [...where, '--lang', 'en'], tls: true };
  },
  redis() {
    const args = [
      '--bind',
      HOST,
      '--port',
      String(ports.redis),
      '--daemonize',
      'no',
      '--save',
      '',
      '--appendonly',
      'no',
    ];
    return { command: 'redis-server', args: [...args, '--dir', at('run')] };
  },
};

function jetforce(name) {
  const certificate = ['--tls-certfile', at('certs', `${name}.crt`), '--tls-keyfile', at('certs', `${name}.key`)];
  const where = ['--host', HOST, '--port', String(ports[name]), '--hostname', 'localhost'];
  const content = ['--dir', geminiRoot, '--cgi-dir', 'cgi-bin', '--default-lang', 'en'];
  return {
    command: path.join(cache, 'jetforce', 'bin', 'jetforce'),
    args: [...where, ...certificate, ...content],
    tls: true,
  };
}

function mollyConfig() {
  const { client, admitted } = readState().fingerprints;
  const text = JSON.stringify;
  return `Port = ${ports.molly}
Hostname = "localhost"
CertPath = ${text(at('certs', 'molly.crt'))}
KeyPath = ${text(at('certs', 'molly.key'))}
DocBase = ${text(geminiRoot)}
GeminiExt = "gmi"
DefaultLang = "en"
AccessLog = ${text(at('log', 'molly.access.log'))}
ErrorLog = ${text(at('log', 'molly.error.log'))}
ReadMollyFiles = true
DirectoryTitles = true
CGIPaths = [ ${text(path.join(geminiRoot, 'cgi-bin/'))} ]
[TempRedirects]
"^/redir/temp$" = "/text/plain.txt"
"^/loop/a$" = "/loop/b"
"^/loop/b$" = "/loop/a"
[PermRedirects]
"^/redir/perm$" = "/gemlog/"
[MimeOverrides]
"latin1.txt$" = "text/plain; charset=iso-8859-1"
"atom.xml$" = "application/atom+xml"
[CertificateZones]
"^/certzone/" = [ ${[client, ...admitted].map((fingerprint) => text(fingerprint)).join(', ')} ]
`;
}

function listen(name) {
  return `TCP4-LISTEN:${ports[name]},bind=${HOST},reuseaddr,fork,backlog=256`;
}

/** gophernicus runs as nobody where this runs as root; a private working folder is copied to where nobody can read. */
function rootForNobody() {
  if (!isRoot) return gopherRoot;
  const copy = mkdtempSync(path.join(tmpdir(), 'gopher-tree-'));
  cpSync(gopherRoot, copy, { recursive: true });
  chmodSync(copy, 0o755);
  writeFileSync(at('run', 'gophernicus.copy'), copy);
  return copy;
}

/** The text of an INI file with some keys set; a key's old value ends before the next line that is not indented. */
function overrideIni(text, settings) {
  const pending = structuredClone(settings);
  const lines = [];
  let section = '';
  let dropping = false;
  const flush = () => {
    for (const [key, value] of Object.entries(pending[section] ?? {})) lines.push(`${key} = ${value}`);
    delete pending[section];
  };
  for (const line of text.split('\n')) {
    const opened = /^\[(.+)\]/.exec(line)?.[1];
    if (opened !== undefined) {
      section = opened;
      lines.push(line);
      flush();
      dropping = false;
      continue;
    }
    const key = /^([A-Za-z_]+)\s*=/.exec(line)?.[1];
    if (key !== undefined) dropping = settings[section]?.[key] !== undefined;
    else if (!/^\s/.test(line)) dropping = false;
    if (!dropping) lines.push(line);
  }
  return lines.join('\n');
}

// ---- state --------------------------------------------------------------------------------------------------------------------

function readState() {
  return JSON.parse(readFileSync(at('servers.json'), 'utf8'));
}

function writeState(fingerprints) {
  const state = { host: HOST, ports, gopherRoot, geminiRoot, certificates: at('certs'), fingerprints };
  writeFileSync(at('servers.json'), `${JSON.stringify(state, null, 2)}\n`);
}

/** Trees as their generators now say, unless a server is reading them; certificates and servers.json unless they are there. */
async function prepare() {
  for (const folder of ['run', 'log', 'conf', 'certs']) mkdirSync(at(folder), { recursive: true });
  if (NAMES.every((name) => findProcess(dir, name) === null)) {
    writeTree(gopherRoot, gopherTree(HOST, ports));
    writeTree(geminiRoot, geminiTree(HOST, ports));
  }
  if (existsSync(at('servers.json')) && readState().ports.gophernicus === basePort) return;
  const fingerprints = { admitted: [] };
  for (const name of CERTIFICATE_NAMES) fingerprints[name] = await writeCertificate(at('certs'), name);
  writeState(fingerprints);
}

function writeTree(root, tree) {
  rmSync(root, { recursive: true, force: true });
  for (const [name, { bytes, executable }] of tree) {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, bytes);
    chmodSync(file, executable ? 0o755 : 0o644);
  }
}

/** Starts a server that is not running, and waits until it answers. */
async function start(name) {
  if (findProcess(dir, name) !== null) return;
  await startProcess(dir, name, { port: ports[name], ...STARTERS[name]() });
  say(`${name}: ${HOST}:${ports[name]}`);
}

async function stop(name) {
  if (await stopProcess(dir, name)) say(`${name}: stopped`);
  const copy = at('run', 'gophernicus.copy');
  if (name === 'gophernicus' && existsSync(copy)) {
    rmSync(readFileSync(copy, 'utf8'), { recursive: true, force: true });
    rmSync(copy);
  }
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

// ---- commands -----------------------------------------------------------------------------------------------------------------

const COMMANDS = {
  async start(...names) {
    await prepare();
    for (const name of names.length > 0 ? names : NAMES) await start(name);
  },
  async stop(...names) {
    for (const name of names.length > 0 ? names : NAMES) await stop(name);
  },
  status() {
    for (const name of NAMES)
      say(`${name}: ${findProcess(dir, name) === null ? 'not running' : `${HOST}:${ports[name]}`}`);
  },
  async rotate(name) {
    if (!CERTIFICATE_NAMES.includes(name) || name === 'client') throw new Error(`${name} has no server certificate`);
    const { fingerprints } = readState();
    await stop(name);
    writeState({ ...fingerprints, [name]: await writeCertificate(at('certs'), name) });
    await start(name);
  },
  async admit(fingerprint) {
    if (!/^[0-9a-f]{64}$/.test(fingerprint ?? '')) throw new Error('a fingerprint is 64 lowercase hexadecimal digits');
    const { fingerprints } = readState();
    await stop('molly');
    writeState({ ...fingerprints, admitted: [...fingerprints.admitted, fingerprint] });
    await start('molly');
  },
};

const [command, ...names] = process.argv.slice(2);
const unknown = command === 'start' || command === 'stop' ? names.filter((name) => !NAMES.includes(name)) : [];
try {
  if (COMMANDS[command] === undefined) throw new Error(`commands: ${Object.keys(COMMANDS).join(', ')}`);
  if (unknown.length > 0) throw new Error(`unknown: ${unknown.join(', ')} (there are: ${NAMES.join(', ')})`);
  await COMMANDS[command](...names);
} catch (error) {
  process.stderr.write(`realservers: ${error.message}\n`);
  process.exitCode = 1;
}
