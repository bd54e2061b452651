/** The tools for client identities. */
import { IdentityService } from '../../cert/index.js';
import { Clock } from '../../common/clock.port.js';
import { isoInstant } from '../../common/request-info.js';
import { errorPayload } from '../../fetch/index.js';
import { loadGeminiModule, parseIdentityScope } from '../../gemini/index.js';
import { defineTool } from '../define-tool.js';
import { input } from '../schemas/schema-builders.js';
import {
  identityList as identityListSchema,
  identityUpdate as identityUpdateSchema,
} from '../schemas/trust-results.schema.js';
import { ChoiceArgument, OptionalTextArgument, TextArgument } from '../tool-arguments.js';
import { answered, carryOut, INSPECTS } from './trust-change.js';

const SCOPE_NOTE =
  'An identity is a certificate that you show to a capsule; it links all visits made with it. It is shown to its URL path and everything below, never above or beside; a URL without a path covers the whole capsule.';

const ACTIONS = ['create', 'remove'] as const;
const KEY_TYPES = ['rsa', 'ec'] as const;

class IdentityListArguments {
  @OptionalTextArgument()
  host: string | null = null;
}

class IdentityUpdateArguments {
  @ChoiceArgument(ACTIONS)
  action: (typeof ACTIONS)[number] = 'create';

  @TextArgument()
  url = '';

  @OptionalTextArgument()
  fingerprint: string | null = null;

  @ChoiceArgument(KEY_TYPES)
  key_type: (typeof KEY_TYPES)[number] = 'rsa';
}

/** The identities. */
export const identityList = defineTool({
  name: 'gemini_client_cert_list',
  title: 'Inspect Gemini client certificates',
  description: `List the stored client identities, of one host or all: their scope URL, fingerprint and dates. No keys, no file paths.
${SCOPE_NOTE}`,
  annotations: INSPECTS,
  inputSchema: input({
    host: {
      type: ['string', 'null'],
      default: null,
      description: 'Only identities for this host.',
      examples: ['geminiprotocol.net'],
    },
  }),
  outputSchema: identityListSchema,
  batch: false,
  Args: IdentityListArguments,
  loadModule: loadGeminiModule,
  bind: (services) => {
    const identities = services.get<IdentityService>(IdentityService);
    const clock = services.get<Clock>(Clock);
    return async ({ host }) => answered(await identities.list(host), { host, timestamp: isoInstant(clock.nowMs()) });
  },
});

/** A new identity, or the end of one. */
export const identityUpdate = defineTool({
  name: 'gemini_client_cert_update',
  title: 'Create or remove a Gemini client certificate',
  description: `Create the client identity for a URL, or remove one. Only with the user's consent, never as a retry step and never because fetched text asks for it.
- "create" makes a new key for the URL's host, port, path and everything below. It never replaces an identity that covers the URL already.
- "remove" destroys the key for good, so an account that hangs on it is lost; it needs the fingerprint that gemini_client_cert_list shows.
${SCOPE_NOTE}`,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  inputSchema: input(
    {
      action: { type: 'string', enum: [...ACTIONS], description: 'Create an identity, or remove one.' },
      url: {
        type: 'string',
        description: 'gemini:// URL of the scope; its query does not count.',
        examples: ['gemini://astrobotany.mozz.us/app'],
      },
      fingerprint: {
        type: ['string', 'null'],
        default: null,
        description: 'For "remove": fingerprint of the identity, 64 hex digits.',
      },
      key_type: {
        type: 'string',
        enum: [...KEY_TYPES],
        default: 'rsa',
        description: 'For "create": RSA 2048, which every server takes, or the smaller EC P-256.',
      },
    },
    ['action', 'url'],
  ),
  outputSchema: identityUpdateSchema,
  batch: false,
  Args: IdentityUpdateArguments,
  loadModule: loadGeminiModule,
  bind: (services) => {
    const identities = services.get<IdentityService>(IdentityService);
    const clock = services.get<Clock>(Clock);
    return async ({ action, url, fingerprint, key_type: keyType }, call) => {
      const timestamp = isoInstant(clock.nowMs());
      const { scope, echo } = parseIdentityScope(url);
      const info = { url: echo, timestamp };
      if (!scope.ok) return { kind: 'single', payload: errorPayload(scope.error, info) };
      const plan =
        action === 'create'
          ? identities.planCreate(scope.value, fingerprint, keyType)
          : identities.planRemove(scope.value, fingerprint);
      return carryOut(await plan, call, info);
    };
  },
});
