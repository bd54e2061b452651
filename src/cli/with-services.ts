import type { CommandContext, CommandServices } from './command-context.js';
import type { ExitCode } from './command.js';
import { refuseSettings } from './refuse-settings.js';

/** Runs `work` with the services of a server, and closes them. Settings that cannot be used are reported, with exit code 2. */
export async function withServices(
  context: CommandContext,
  work: (services: CommandServices) => Promise<ExitCode>,
): Promise<ExitCode> {
  const config = await context.loadConfig();
  if (!config.ok) return refuseSettings(context, config.error);
  const services = await context.openServices(config.value);
  try {
    return await work(services);
  } finally {
    await services.close();
  }
}
