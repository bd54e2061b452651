/**
 * Settings for the whole graph. ConfigModule of @nestjs/config validates them when the graph is built; what is injected are the
 * typed sections, by class.
 */
import { Module, type DynamicModule } from '@nestjs/common';
import { ConfigModule as NestConfigModule, ConfigService } from '@nestjs/config';
import type { Result } from '../common/result.js';
import { ConfigError, type ConfigProblem } from './config-problem.js';
import type { Config } from './load-config.js';
import { SECTIONS, type Section } from './sections.js';

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
      providers: SECTIONS.map(section),
      exports: SECTIONS.map(({ type }) => type),
    };
  }
}

function section({ type, key }: Section) {
  return {
    provide: type,
    inject: [ConfigService],
    useFactory: (config: ConfigService<Config, true>) => config.get(key, { infer: true }),
  };
}

function valueOrThrow(loaded: Result<Config, readonly ConfigProblem[]>): Config {
  if (!loaded.ok) throw new ConfigError(loaded.error);
  return loaded.value;
}
