import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule, type AppOptions } from './app.module.js';
import { isLimited } from './config/index.js';
import { PageReader, PolicyReader, ToolRunner, type McpServices } from './mcp/index.js';

/** The services behind the tools, outside any HTTP server. */
export interface ServiceGraph extends McpServices {
  /** The service behind an injection token. */
  get<T>(token: symbol | (abstract new (...args: never[]) => T)): T;
  /** Ends what runs and writes what is pending on disk. */
  close(): Promise<void>;
}

/** Builds the graph. */
export async function buildServiceGraph(options: AppOptions): Promise<ServiceGraph> {
  const context = await NestFactory.createApplicationContext(await AppModule.register(options), {
    logger: false,
    abortOnError: false,
  });
  return {
    runner: context.get(ToolRunner, { strict: false }),
    policy: context.get(PolicyReader, { strict: false }),
    pages: context.get(PageReader, { strict: false }),
    gate: await gateOf(context, options),
    get: (token) => context.get(token, { strict: false }),
    close: () => context.close(),
  };
}

async function gateOf(context: INestApplicationContext, { config }: AppOptions): Promise<ServiceGraph['gate']> {
  if (!isLimited(config.limits, config.gateway.transport !== 'stdio')) return undefined;
  const { CallAdmission } = await import('./auth/index.js');
  return context.get(CallAdmission, { strict: false });
}
