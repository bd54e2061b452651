/** Settings of who stands between clients and this server, and which web pages may call it: variables `GOPHER_MCP_*`. */
import { networks, origins } from './setting-kinds.js';
import { Setting } from './setting.js';

/** Effective settings of the HTTP edge, and their injection token. They matter on HTTP only. */
export class EdgeConfig {
  @Setting(
    networks(),
    'Networks of the proxies and balancers in front of this server: their X-Forwarded-For tells the address of a client, for quotas, audit and the access log. That of anybody else is ignored. Unset = a client is whoever connects.',
  )
  readonly trustedProxies: readonly string[] | null = null;

  @Setting(
    origins(),
    'Origins of web pages that may call this server from a browser, such as `https://app.example`; they get CORS headers. Other origins are refused as before, and also where the Host check is off. Unset = no CORS.',
  )
  readonly allowedOrigins: readonly string[] | null = null;
}
