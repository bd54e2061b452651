/** Settings of the transport: variables `GOPHER_MCP_*`. A flag goes before the variable of the same name. */
import { bindHost, choice, hostHeaders, integer, optionalInteger } from './setting-kinds.js';
import { Setting } from './setting.js';
import { TRANSPORTS, type Transport } from './transport.js';

/** Effective settings of the transport, and their injection token. All but `transport` matter on HTTP only. */
export class GatewayConfig {
  @Setting(choice(TRANSPORTS), 'How clients reach the server.')
  readonly transport: Transport = 'stdio';

  @Setting(bindHost(), 'Name or address to listen on. Anything but loopback can be reached from other machines.')
  readonly host: string = '127.0.0.1';

  @Setting(integer(0, 65_535), 'Port to listen on; 0 = a free one.')
  readonly port: number = 8000;

  @Setting(
    hostHeaders(),
    'Names under which clients may address the server (Host header), beside its own and the loopback names. A name without port holds for every port. Unset = loopback names only when listening on loopback, no check otherwise.',
  )
  readonly allowedHosts: readonly string[] | null = null;

  @Setting(integer(1, 1_000_000), 'Sessions kept at the same time.')
  readonly maxSessions: number = 1000;

  @Setting(integer(1, 604_800), 'Seconds after which an unused session is forgotten.')
  readonly sessionTtlSeconds: number = 1800;

  @Setting(integer(1024, 104_857_600), 'Bytes of one request.')
  readonly maxBodyBytes: number = 1_048_576;

  @Setting(
    integer(1, 600),
    'Seconds that a client has to send one request, headers (in 10 at most) and body; what takes longer is cut off.',
  )
  readonly requestTimeoutSeconds: number = 30;

  @Setting(
    optionalInteger(0, 65_535),
    'Port of `/metrics` for Prometheus, on the same address; 0 = a free one. Nobody is asked who they are there. Unset = no metrics.',
  )
  readonly metricsPort: number | null = null;

  @Setting(
    integer(0, 600),
    'Seconds that a server told to stop has for the calls that run; what is left after that is cut off. Where `/health/ready` is asked, up to half of them, at most 10, pass before it stops listening, so that a balancer learns of it.',
  )
  readonly drainSeconds: number = 10;
}
