import { Module } from '@nestjs/common';
import { Clock } from '../common/clock.port.js';
import { asError } from '../common/thrown.js';
import { AuthConfig, isAuthOn, resourceUrl } from '../config/index.js';
import { StatePlatform } from '../file-store/index.js';
import { Log } from '../logging/index.js';
import { ApiKeyAuthenticator } from './api-key-authenticator.js';
import { Authenticator } from './authenticator.port.js';
import { Challenges } from './core/challenge.js';
import { ProtectedResource, protectedResource } from './core/protected-resource.js';
import { CredentialRouter } from './credential-router.js';
import { ApiKeyFile } from './io/api-key-file.js';
import { HttpJwksSource } from './io/http-jwks-source.js';
import { TenantAuthenticator } from './tenant-authenticator.js';
import { Tenants } from './tenants.js';
import { TokenAuthenticator } from './token-authenticator.js';

/** Who calls over HTTP. Without GOPHER_MCP_AUTH its {@link Authenticator} is null. */
@Module({
  providers: [
    {
      provide: Authenticator,
      inject: [AuthConfig, StatePlatform, Clock, Log, { token: Tenants, optional: true }],
      useFactory: async (
        config: AuthConfig,
        platform: NodeJS.Platform,
        clock: Clock,
        log: Log,
        tenants: Tenants | undefined,
      ): Promise<Authenticator | null> => {
        if (!isAuthOn(config)) return null;
        const apiKeys = config.auth.includes('api-key') ? apiKeyAuthenticator(config, platform, clock, log) : undefined;
        const tokens = config.auth.includes('jwt') ? await tokenAuthenticator(config, clock, log) : undefined;
        const router = new CredentialRouter({
          ...(apiKeys === undefined ? {} : { 'api-key': apiKeys }),
          ...(tokens === undefined ? {} : { token: tokens }),
        });
        return tenants === undefined ? router : new TenantAuthenticator(router, tenants);
      },
    },
    {
      provide: ProtectedResource,
      inject: [AuthConfig],
      useFactory: (config: AuthConfig): ProtectedResource | null => {
        const resource = resourceUrl(config);
        const takesTokens = config.auth.includes('jwt') && config.jwtIssuer !== null && resource !== null;
        return takesTokens ? protectedResource(resource, config.jwtIssuer) : null;
      },
    },
    {
      provide: Challenges,
      inject: [ProtectedResource],
      useFactory: (resource: ProtectedResource | null) => new Challenges(resource?.metadataUrl ?? null),
    },
  ],
  exports: [Authenticator, Challenges, ProtectedResource],
})
export class AuthModule {}

function apiKeyAuthenticator(
  { apiKeysFile }: AuthConfig,
  platform: NodeJS.Platform,
  clock: Clock,
  log: Log,
): Authenticator | undefined {
  if (apiKeysFile === null) return undefined;
  return new ApiKeyAuthenticator(
    new ApiKeyFile({ path: apiKeysFile, clock, platform }),
    clock,
    ({ message, cause }) => {
      log.error('API keys cannot be read', { message, error: asError(cause) });
    },
  );
}

/** The library that checks tokens is loaded only where tokens are taken. */
async function tokenAuthenticator(config: AuthConfig, clock: Clock, log: Log): Promise<Authenticator | undefined> {
  const { jwtIssuer: issuer, jwtJwksUrl: url, jwtAudience } = config;
  const audiences = jwtAudience ?? (config.publicUrl === null ? [] : [config.publicUrl]);
  if (issuer === null || url === null || audiences.length === 0) return undefined;
  const { JoseTokenCheck } = await import('./io/jose-token-check.js');
  const authenticator = new TokenAuthenticator({
    check: new JoseTokenCheck({
      issuer,
      audiences,
      algorithms: config.jwtAlgorithms,
      clockToleranceSeconds: config.jwtClockToleranceSeconds,
    }),
    source: new HttpJwksSource({ url }),
    tenantClaim: config.jwtTenantClaim,
    clock,
    warn: (reason) => log.warning('keys of the issuer not fetched', { issuer, reason }),
  });
  // Not waited for: the issuer may start after us.
  void authenticator.prepare();
  return authenticator;
}
