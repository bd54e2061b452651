/** What the settings of authentication need of each other: a gap here would leave a server open, or closed to everybody. */
import type { AuthConfig } from './auth.config.js';
import type { ConfigProblem } from './config-problem.js';
import type { GatewayConfig } from './gateway.config.js';

/** Every combination that cannot be served; none on stdio, where nobody is asked. */
export function authProblems(auth: AuthConfig, { transport, host }: GatewayConfig): ConfigProblem[] {
  const ways = auth.auth;
  if (ways.length === 0) return [problem('AUTH', 'must name at least one of none, api-key, jwt')];
  if (ways.length > 1 && ways.includes('none')) {
    return [problem('AUTH', 'must not list none beside another way', ways.join(', '))];
  }
  if (transport === 'stdio') return [];
  const problems: ConfigProblem[] = [];
  if (auth.requireAuth && !isAuthOn(auth)) {
    problems.push(
      problem(
        'AUTH',
        `must be api-key, jwt or both: GOPHER_MCP_REQUIRE_AUTH is set, and ${host} would be open to everybody`,
        'none',
      ),
    );
  }
  if (ways.includes('api-key') && auth.apiKeysFile === null) {
    problems.push(problem('API_KEYS_FILE', 'must be set with GOPHER_MCP_AUTH=api-key'));
  }
  if (ways.includes('jwt')) problems.push(...tokenProblems(auth));
  return problems;
}

/** Whether callers over HTTP have to show who they are. */
export function isAuthOn({ auth }: AuthConfig): boolean {
  return auth.some((way) => way !== 'none');
}

/** The resource identifier of the endpoint; null when none can be told. */
export function resourceUrl({ publicUrl, jwtAudience }: AuthConfig): string | null {
  return (
    publicUrl ??
    (jwtAudience ?? []).find((audience) => /^https?:\/\/[^\s?#"\\]+$/.test(audience) && URL.canParse(audience)) ??
    null
  );
}

function tokenProblems(auth: AuthConfig): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const need = 'must be set with GOPHER_MCP_AUTH=jwt';
  if (auth.jwtIssuer === null) problems.push(problem('JWT_ISSUER', need));
  if (auth.jwtAudience === null && auth.publicUrl === null) {
    problems.push(problem('JWT_AUDIENCE', `${need}, or GOPHER_MCP_PUBLIC_URL: a token must be meant for this server`));
  } else if (resourceUrl(auth) === null) {
    problems.push(problem('PUBLIC_URL', `${need}, since no audience is a URL: clients are told of it`));
  }
  if (auth.jwtJwksUrl === null) problems.push(problem('JWT_JWKS_URL', need));
  if (auth.jwtAlgorithms.length === 0) problems.push(problem('JWT_ALGORITHMS', 'must name at least one algorithm'));
  return problems;
}

function problem(suffix: string, requirement: string, rejected: string | null = null): ConfigProblem {
  return { name: `GOPHER_MCP_${suffix}`, requirement, rejected };
}
