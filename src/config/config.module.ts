/**
 * Settings for the whole graph. ConfigModule of @nestjs/config validates them when the graph is built; what is injected are the
 * four typed sections, by class.
 */
import { Module, type DynamicModule } from '@nestjs/common';
import { ConfigModule as NestConfigModule, ConfigService } from '@nestjs/config';
import type { Result } from '../common/result.js';
import { ConfigError, type ConfigProblem } from './config-problem.js';
import { GatewayConfig } from './gateway.config.js';
import { GeminiConfig } from './gemini.config.js';
import { GopherConfig } from './gopher.config.js';
import type { Config } from './load-config.js';
import { ServerConfig } from './server.config.js';

/** Global: a domain's module injects its section and hands typed slices of it on. */
@Module({})
export class ConfigModule {
  /**
   * @param load gives the settings, e.g. `() => loadConfig(environment, options)` or what was loaded before. Building the graph
   *   rejects with {@link ConfigError} when it fails.
   */
  static forRoot(load: () => Result<Config, readonly ConfigProblem[]>): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      imports: [
        NestConfigModule.forRoot({
          // The environment and the .env file are arguments of `load`: nothing here reads the process.
          ignoreEnvFile: true,
          validatePredefined: false,
          skipProcessEnv: true,
          validate: () => ({ ...valueOrThrow(load()) }),
        }),
      ],
      providers: [
        section(GopherConfig, 'gopher'),
        section(GeminiConfig, 'gemini'),
        section(ServerConfig, 'server'),
        section(GatewayConfig, 'gateway'),
      ],
      exports: [GopherConfig, GeminiConfig, ServerConfig, GatewayConfig],
    };
  }
}

function section(provide: new () => object, key: keyof Config) {
  return {
    provide,
    inject: [ConfigService],
    useFactory: (config: ConfigService<Config, true>) => config.get(key, { infer: true }),
  };
}

function valueOrThrow(loaded: Result<Config, readonly ConfigProblem[]>): Config {
  if (!loaded.ok) throw new ConfigError(loaded.error);
  return loaded.value;
}
