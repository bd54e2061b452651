import { Module, type DynamicModule } from '@nestjs/common';
import { DANGEROUS_PORTS } from '../common/net/dangerous-ports.js';
import { GeminiConfig, GopherConfig, policyFields } from '../config/index.js';
import { PageReader } from './resources/page-reader.js';
import { PolicyReader } from './resources/policy.resource.js';
import { LoadedTools, ToolRunner } from './tool-runner.js';
import type { LoadedTool } from './tool.js';

/** What is served. */
export interface McpModuleOptions {
  /** Version of the package. */
  readonly version: string;
  readonly tools: readonly LoadedTool[];
}

/** The MCP surface without a transport: tools and resources over the domains' services. */
@Module({})
export class McpModule {
  static register({ version, tools }: McpModuleOptions): DynamicModule {
    return {
      module: McpModule,
      imports: [...new Set(tools.map(({ behaviour }) => behaviour.domain))],
      providers: [
        { provide: LoadedTools, useValue: tools },
        ToolRunner,
        PageReader,
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
      exports: [ToolRunner, PolicyReader, PageReader],
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
