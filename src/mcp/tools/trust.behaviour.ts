/** What the tools for certificate pins do. */
import { Clock } from '../../common/clock.port.js';
import { isoInstant } from '../../common/request-info.js';
import { GeminiModule } from '../../gemini/index.js';
import { TrustService } from '../../trust/index.js';
import { defineBehaviour } from '../define-behaviour.js';
import { ChoiceArgument, OptionalTextArgument, TextArgument, WholeNumberArgument } from '../tool-arguments.js';
import { answered, carryOut } from './trust-change.js';
import { PIN_ACTIONS } from './trust-fields.js';

class TrustListArguments {
  @OptionalTextArgument()
  host: string | null = null;
}

class TrustUpdateArguments {
  @ChoiceArgument(PIN_ACTIONS)
  action: (typeof PIN_ACTIONS)[number] = 'remove';

  @TextArgument()
  host = '';

  @TextArgument()
  fingerprint = '';

  @WholeNumberArgument()
  port = 1965;
}

/** What {@link trustList} of the table does. */
export const trustList = defineBehaviour({
  Args: TrustListArguments,
  domain: GeminiModule,
  bind: (services) => {
    const trust = services.get<TrustService>(TrustService);
    const clock = services.get<Clock>(Clock);
    return async ({ host }) => answered(await trust.list(host), { host, timestamp: isoInstant(clock.nowMs()) });
  },
});

/** What {@link trustUpdate} of the table does. */
export const trustUpdate = defineBehaviour({
  Args: TrustUpdateArguments,
  domain: GeminiModule,
  bind: (services) => {
    const trust = services.get<TrustService>(TrustService);
    const clock = services.get<Clock>(Clock);
    return async ({ action, ...target }, call) => {
      const info = { host: target.host, port: target.port, timestamp: isoInstant(clock.nowMs()) };
      return carryOut(await (action === 'pin' ? trust.planPin(target) : trust.planRemove(target)), call, info);
    };
  },
});
