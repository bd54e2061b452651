import { Module, type DynamicModule } from '@nestjs/common';
import { GeminiConfig, GopherConfig, policyFields } from '../config/index.js';
import { DANGEROUS_PORTS } from '../safety/index.js';
import { PolicyReader } from './resources/policy.resource.js';
import { ServedTools, ToolRunner } from './tool-runner.js';
import type { Tool } from './tool.js';

/** What is served. */
export interface McpModuleOptions {
  /** Version of the package. */
  readonly version: string;
  readonly tools: readonly Tool[];
  /** Modules of the domains behind the tools. */
  readonly domains: readonly (new () => object)[];
}

/** The MCP surface without a transport: tools and resources over the domains' services. */
@Module({})
export class McpModule {
  static register({ version, tools, domains }: McpModuleOptions): DynamicModule {
    return {
      module: McpModule,
      imports: [...domains],
      providers: [
        { provide: ServedTools, useValue: tools },
        ToolRunner,
        {
          provide: PolicyReader,
          inject: [GopherConfig, GeminiConfig],
          useFactory: (gopher: GopherConfig, gemini: GeminiConfig) =>
            new PolicyReader([
              { name: 'Gopher', fields: policyFields(gopher) },
              { name: 'Gemini', fields: policyFields(gemini) },
              { name: 'Server', fields: serverFields(version) },
            ]),
        },
      ],
      exports: [ToolRunner, PolicyReader],
    };
  }
}

function serverFields(version: string) {
  const ports = [...DANGEROUS_PORTS.keys()];
  return [
    { name: 'dangerous_ports', value: ports, literal: `[${ports.join(', ')}]` },
    { name: 'version', value: version, literal: JSON.stringify(version) },
  ];
}
