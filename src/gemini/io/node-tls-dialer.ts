/**
 * Gemini over TLS: the vetted addresses one after the other, IPv4 first, until one shakes hands.
 *
 * An address that refuses, cannot be reached, fails in the handshake or does not finish it within its share of the time
 * gives way to the next; once hands are shaken there is no second try. TLS 1.2 at least, the ciphers of the platform, no
 * certificate authorities, no session resumption (a resumed session shows no certificate), no ALPN.
 *
 * @see https://geminiprotocol.net/docs/protocol-specification.gmi (TLS)
 */
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import type { Clock } from '../../common/clock.port.js';
import type { Failure } from '../../common/error-codes.js';
import { bracketed } from '../../common/net/host.js';
import { err, type Result } from '../../common/result.js';
import type { TlsAnswer, TlsDial, TlsDialer } from '../tls-dialer.port.js';
import { exchangeOverTls } from './tls-exchange.js';
import { connectionFailure, identityFailure } from './tls-failure.js';

/** Dials with `node:tls`; one fresh connection per request. */
export class NodeTlsDialer implements TlsDialer {
  /** Serves all connections without an identity; made when the first one is. */
  #anonymous: SecureContext | undefined;

  constructor(private readonly clock: Clock) {}

  async dial(dial: TlsDial): Promise<Result<TlsAnswer, Failure>> {
    const { deadline } = dial;
    const place = `${bracketed(dial.host)}:${dial.port}`;
    let secureContext: SecureContext;
    try {
      secureContext = this.#contextFor(dial.identity);
    } catch (cause) {
      return err(identityFailure(place, cause));
    }
    const addresses = dial.addresses.toSorted((one, other) => one.family - other.family);
    let cause: unknown;
    for (const [index, address] of addresses.entries()) {
      const left = addresses.length - index;
      const handshakeMs = left === 1 ? null : Math.max(1, deadline.remainingMs / left);
      const outcome = await exchangeOverTls(dial, address, secureContext, handshakeMs, this.clock);
      if (outcome.kind === 'settled') return outcome.result;
      if (outcome.kind === 'aborted') return err(deadline.failure(`The request to ${place}`));
      if (outcome.phase === 'exchange') return err(connectionFailure(place, 'exchange', outcome.cause));
      cause = outcome.cause;
    }
    return err(connectionFailure(place, 'handshake', cause));
  }

  #contextFor(identity: TlsDial['identity']): SecureContext {
    if (identity === null) return (this.#anonymous ??= createSecureContext(BASE));
    return createSecureContext({ ...BASE, cert: identity.certificatePem, key: identity.privateKeyPem });
  }
}

/** The empty list keeps Node from loading its certificate authorities: nobody is asked. */
const BASE: SecureContextOptions = { minVersion: 'TLSv1.2', ca: [] };
