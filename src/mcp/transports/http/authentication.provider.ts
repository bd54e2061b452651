import type { FactoryProvider } from '@nestjs/common';
import { Authenticator, Challenges } from '../../../auth/index.js';
import { Authentication } from './authentication.js';

/** Who sends a request, for the controllers of a transport and the checks in front of them. */
export const AUTHENTICATION_PROVIDER: FactoryProvider<Authentication> = {
  provide: Authentication,
  inject: [Authenticator, Challenges],
  useFactory: (authenticator: Authenticator | null, challenges: Challenges) =>
    new Authentication(authenticator, challenges),
};
