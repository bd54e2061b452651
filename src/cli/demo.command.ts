/** `gopher-mcp demo`: serves a Gopher hole and a Gemini capsule on loopback until Ctrl+C. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { X509IdentityMinter } from '../cert/index.js';
import { startDemo, type Demo } from '../demo/index.js';
import type { CommandContext } from './command-context.js';
import { EXIT, type RunnableCommand } from './command.js';
import { stylesOf } from './styles.js';
import { systemCode } from './system-code.js';

/** Close to 70 and 1965, which need not be free and, for 70, need an administrator. */
const GOPHER_PORT = 7070;
const GEMINI_PORT = 1966;

const PORT = { min: 0, max: 65_535 };

/** See the file's header. */
export const demoCommand: RunnableCommand = {
  name: 'demo',
  summary: 'serve sample pages on this machine, to try everything offline',
  details: `It prints the addresses, and the settings with which a server or another command reads them. Pins and
identities made with these settings live in a temporary folder, which is removed at the end: the
certificate of the demo is a new one at each start. Stop with Ctrl+C.`,
  operands: [],
  options: {
    'gopher-port': {
      type: 'string',
      value: 'PORT',
      integer: PORT,
      description: `port of the Gopher hole, 0 for a free one (default: ${GOPHER_PORT})`,
    },
    'gemini-port': {
      type: 'string',
      value: 'PORT',
      integer: PORT,
      description: `port of the Gemini capsule, 0 for a free one (default: ${GEMINI_PORT})`,
    },
  },
  async run(context, args) {
    const { clock, signal, stderr } = context;
    const { certificatePem, privateKeyPem } = await new X509IdentityMinter().mint('ec', clock.nowMs());
    let demo: Demo;
    try {
      demo = await startDemo({
        gopherPort: args.integer('gopher-port') ?? GOPHER_PORT,
        geminiPort: args.integer('gemini-port') ?? GEMINI_PORT,
        certificatePem,
        privateKeyPem,
      });
    } catch (thrown) {
      stderr.write(
        `gopher-mcp: a port of the demo cannot be used (${systemCode(thrown)}); choose others with --gopher-port and --gemini-port, 0 for free ones\n`,
      );
      return EXIT.failed;
    }
    const folder = await mkdtemp(path.join(tmpdir(), 'gopher-mcp-demo-'));
    try {
      announce(context, demo, folder);
      await interrupted(signal);
    } finally {
      await demo.close();
      await rm(folder, { recursive: true, force: true });
    }
    return EXIT.ok;
  },
};

function announce({ stdout, terminal, platform }: CommandContext, demo: Demo, folder: string): void {
  const styles = stylesOf(terminal.hasColours);
  const set = platform === 'win32' ? 'set ' : 'export ';
  const gopher = `gopher://127.0.0.1:${demo.gopherPort}/`;
  const gemini = `gemini://127.0.0.1:${demo.geminiPort}/`;
  const settings = [
    ['GOPHER_ALLOW_LOCAL_HOSTS', 'true'],
    ['GEMINI_ALLOW_LOCAL_HOSTS', 'true'],
    ['GEMINI_TOFU_STORAGE_PATH', path.join(folder, 'tofu.json')],
    ['GEMINI_CLIENT_CERTS_STORAGE_PATH', path.join(folder, 'certs')],
  ];
  stdout.write(`${styles.heading('The demo is running; Ctrl+C stops it.')}

Gopher hole:     ${gopher}
Gemini capsule:  ${gemini}

Pages on this machine are closed to a server unless its settings open them. In another terminal:

${settings.map(([name = '', value = '']) => `  ${set}${name}=${value}\n`).join('')}
and then, for example:

  gopher-mcp fetch ${gopher}
  gopher-mcp fetch ${gopher}7/search --search menu
  gopher-mcp fetch ${gemini}
  gopher-mcp fetch ${gemini}ask
  gopher-mcp identity create ${gemini}members/
`);
}

function interrupted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    // Listening servers keep the process alive until then.
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
