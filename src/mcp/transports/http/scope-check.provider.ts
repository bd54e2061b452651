import type { FactoryProvider } from '@nestjs/common';
import { ScopeGuard } from '../../scope-guard.js';
import { Authentication } from './authentication.js';
import { ScopeCheck } from './scope-check.js';
import type { StaticParts } from './server-factory.provider.js';

/** The check of scopes of an HTTP transport. */
export function provideScopeCheck({ tools, templates, observer }: StaticParts): FactoryProvider<ScopeCheck> {
  return {
    provide: ScopeCheck,
    inject: [Authentication],
    useFactory: (authentication: Authentication) =>
      new ScopeCheck(new ScopeGuard(tools, templates), authentication, observer),
  };
}
