import type { FactoryProvider } from '@nestjs/common';
import { CallAdmission } from '../../../auth/index.js';
import { PageReader } from '../../resources/page-reader.js';
import { PolicyReader } from '../../resources/policy.resource.js';
import { ServerFactory, type ServerParts } from '../../server-factory.js';
import { ToolRunner } from '../../tool-runner.js';

/** What of a server is known before its services. */
export type StaticParts = Omit<ServerParts, 'services'>;

/** The factory of the servers of an HTTP transport; its services exist before the first request. */
export function provideServerFactory(parts: StaticParts): FactoryProvider<ServerFactory> {
  return {
    provide: ServerFactory,
    inject: [ToolRunner, PolicyReader, PageReader, CallAdmission],
    useFactory: (runner: ToolRunner, policy: PolicyReader, pages: PageReader, gate: CallAdmission) => {
      const services = { runner, policy, pages, gate };
      return new ServerFactory({ ...parts, services: () => Promise.resolve(services) });
    },
  };
}
