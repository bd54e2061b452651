import { Module, type DynamicModule } from '@nestjs/common';
import { DANGEROUS_PORTS } from '../common/net/dangerous-ports.js';
import { GeminiConfig, GopherConfig, policyFields } from '../config/index.js';
import { PageReader } from './resources/page-reader.js';
import { PolicyReader } from './resources/policy.resource.js';
import { ToolRunner } from './tool-runner.js';

/** What is served. */
export interface McpModuleOptions {
  /** Version of the package. */
  readonly version: string;
  /** Modules of the domains behind the tools. */
  readonly domains: readonly (new () => object)[];
}

/** The MCP surface without a transport: tools and resources over the domains' services. */
@Module({})
export class McpModule {
  static register({ version, domains }: McpModuleOptions): DynamicModule {
    return {
      module: McpModule,
      imports: [...domains],
      providers: [
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
