/** `gopher-mcp doctor`: what works on this machine, what does not, and what to do about it. */
import { homeDirectory, locateState } from '../file-store/index.js';
import { Redis } from '../state/index.js';
import type { CommandContext } from './command-context.js';
import { EXIT, type ExitCode, type RunnableCommand } from './command.js';
import { checkMachine } from './doctor/check-machine.js';
import { checkHttpPort, checkOutside, checkRedis } from './doctor/check-network.js';
import { checkSettings } from './doctor/check-settings.js';
import { checkStores } from './doctor/check-stores.js';
import type { Finding } from './doctor/finding.js';
import { machineProbes, type Probes } from './doctor/probes.js';
import { printableLine } from './printable.js';
import { stylesOf } from './styles.js';

/** See the file's header. */
export const doctorCommand: RunnableCommand = {
  name: 'doctor',
  summary: 'check this machine: settings, stores, names, ports',
  details: `Exit codes: 0 everything works (warnings included), 1 something does not. Secrets are not shown.
Nothing is changed, and without --online no server is contacted but the name server and Redis.`,
  operands: [],
  options: {
    online: { type: 'boolean', description: 'also connect to one Gopher and one Gemini server; nothing is sent' },
    json: { type: 'boolean', description: 'print the findings as JSON' },
  },
  async run(context, args) {
    const findings = await examine(context, machineProbes, args.flag('online'));
    return report(context, findings, args.flag('json'));
  },
};

/** All checks, in the order in which they are shown. Without valid settings those that depend on them are left out. */
export async function examine(context: CommandContext, probes: Probes, isOnline: boolean): Promise<Finding[]> {
  const loaded = await context.loadConfig();
  const findings = [...checkMachine(context), ...checkSettings(loaded)];
  if (loaded.ok) {
    const { env, platform } = context;
    const { gemini } = loaded.value;
    const paths = { trustFile: gemini.tofuStoragePath, identityDirectory: gemini.clientCertsStoragePath };
    const located = await locateState({ env, platform, home: homeDirectory(env) }, paths);
    const services = await context.openServices(loaded.value);
    try {
      findings.push(...(await checkStores(context, services, located, probes)));
      findings.push(...(await checkRedis(loaded.value.redis.redisUrl, services.get<Redis | null>(Redis))));
    } finally {
      await services.close();
    }
    findings.push(...(await checkHttpPort(loaded.value, probes)));
  }
  findings.push(...(await checkOutside(probes, isOnline)));
  return findings;
}

/** Prints the findings, one a line with its remedy below it, or as JSON. */
export function report({ stdout, terminal }: CommandContext, findings: readonly Finding[], asJson: boolean): ExitCode {
  const failed = findings.filter(({ level }) => level === 'fail').length;
  if (asJson) {
    stdout.write(`${JSON.stringify({ ok: failed === 0, findings }, null, 2)}\n`);
  } else {
    const styles = stylesOf(terminal.hasColours);
    const mark = { ok: styles.good('ok  '), warn: styles.warning('warn'), fail: styles.bad('fail') };
    for (const { name, level, text, remedy } of findings) {
      stdout.write(`${mark[level]}  ${name.padEnd(12)} ${printableLine(text)}\n`);
      if (remedy !== undefined) stdout.write(`${' '.repeat(19)}${styles.dim(printableLine(remedy))}\n`);
    }
    const warned = findings.filter(({ level }) => level === 'warn').length;
    stdout.write(`\n${summary(failed, warned)}\n`);
  }
  return failed === 0 ? EXIT.ok : EXIT.failed;
}

function summary(failed: number, warned: number): string {
  if (failed === 0 && warned === 0) return 'Everything works.';
  const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
  return `${count(failed, 'failure')}, ${count(warned, 'warning')}.`;
}
