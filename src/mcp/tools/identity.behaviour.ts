/** What the tools for client identities do. */
import { IdentityService } from '../../cert/index.js';
import { Clock } from '../../common/clock.port.js';
import { isoInstant } from '../../common/request-info.js';
import { errorPayload } from '../../fetch/index.js';
import { GeminiModule, parseIdentityScope } from '../../gemini/index.js';
import { defineBehaviour } from '../define-behaviour.js';
import { ChoiceArgument, OptionalTextArgument, TextArgument } from '../tool-arguments.js';
import { answered, carryOut } from './trust-change.js';
import { IDENTITY_ACTIONS, KEY_TYPES } from './trust-fields.js';

class IdentityListArguments {
  @OptionalTextArgument()
  host: string | null = null;
}

class IdentityUpdateArguments {
  @ChoiceArgument(IDENTITY_ACTIONS)
  action: (typeof IDENTITY_ACTIONS)[number] = 'create';

  @TextArgument()
  url = '';

  @OptionalTextArgument()
  fingerprint: string | null = null;

  @ChoiceArgument(KEY_TYPES)
  key_type: (typeof KEY_TYPES)[number] = 'rsa';
}

/** What {@link identityList} of the table does. */
export const identityList = defineBehaviour({
  Args: IdentityListArguments,
  domain: GeminiModule,
  bind: (services) => {
    const identities = services.get<IdentityService>(IdentityService);
    const clock = services.get<Clock>(Clock);
    return async ({ host }, { principal }) => {
      const info = { host, timestamp: isoInstant(clock.nowMs()) };
      return answered(await identities.list(principal.tenant, host), info);
    };
  },
});

/** What {@link identityUpdate} of the table does. */
export const identityUpdate = defineBehaviour({
  Args: IdentityUpdateArguments,
  domain: GeminiModule,
  bind: (services) => {
    const identities = services.get<IdentityService>(IdentityService);
    const clock = services.get<Clock>(Clock);
    return async ({ action, url, fingerprint, key_type: keyType }, call) => {
      const timestamp = isoInstant(clock.nowMs());
      const { scope, echo } = parseIdentityScope(url);
      const info = { url: echo, timestamp };
      if (!scope.ok) return { kind: 'single', payload: errorPayload(scope.error, info) };
      const { tenant } = call.principal;
      const plan =
        action === 'create'
          ? identities.planCreate(tenant, scope.value, fingerprint, keyType)
          : identities.planRemove(tenant, scope.value, fingerprint);
      return carryOut(await plan, call, info);
    };
  },
});
