/**
 * Gemini as the pipeline sees it: ties the pure parts (URL, response, document, window) to the dialer, the pins and the
 * client identities.
 *
 * @see https://geminiprotocol.net/docs/protocol-specification.gmi
 */
import { Inject, Injectable } from '@nestjs/common';
import { IdentityService, type ClientIdentity } from '../cert/index.js';
import type { Failure } from '../common/error-codes.js';
import type { Principal } from '../common/principal.js';
import type { RequestInfo } from '../common/request-info.js';
import { err, ok, type Result } from '../common/result.js';
import type { Steps } from '../common/steps.js';
import { sanitizeField } from '../common/text/sanitize.js';
import {
  probeFailed,
  type ConnectionInfo,
  type Exchange,
  type ExchangeContext,
  type FetchCall,
  type ProtocolAdapter,
  type RenderedWindow,
  type WindowBounds,
} from '../fetch/index.js';
import { TrustService } from '../trust/index.js';
import type { GeminiDocument } from './core/document.js';
import { interpretResponse } from './core/interpret.js';
import { isDeniedAsDeclared } from './core/media.js';
import { parseMime } from './core/mime.js';
import { renderWindow } from './core/render.js';
import { ResponseReader, type GeminiResponse, type ReaderOptions } from './core/response-reader.js';
import { MAX_ROBOTS_BYTES, readRobots } from './core/robots-file.js';
import { echoRefused, origin, parseGeminiUrl, type GeminiRequest } from './core/url.js';
import { TlsDialer, type TlsConnection, type TlsDial } from './tls-dialer.port.js';

/** Settings of the protocol. */
export interface GeminiOptions {
  /** Most bytes of a response, header included, that are read; the rest is cut off and the result marked incomplete. */
  readonly maxResponseBytes: number;
  /** Media types that are not delivered: lowercase, exact or `type/*`. */
  readonly deniedMimeTypes: readonly string[];
}

/** Injection token of {@link GeminiOptions}. */
export const GeminiOptions = Symbol('GeminiOptions');

/** A response in form, and over what it came. */
interface Reply {
  readonly response: GeminiResponse;
  readonly connection: ConnectionInfo;
  /** The identity that was presented, as in {@link GeminiProtocol.variant}. */
  readonly variant: string;
}

/** Gemini's part of the fetch pipeline. */
@Injectable()
export class GeminiProtocol implements ProtocolAdapter<GeminiRequest, GeminiDocument> {
  readonly name = 'gemini';

  constructor(
    @Inject(TlsDialer) private readonly dialer: TlsDialer,
    @Inject(TrustService) private readonly trust: Pick<TrustService, 'ready' | 'verify'>,
    @Inject(IdentityService) private readonly identities: Pick<IdentityService, 'forRequest'>,
    @Inject(GeminiOptions) private readonly options: GeminiOptions,
  ) {}

  parse({ url, answer }: FetchCall): Result<GeminiRequest, Failure> {
    return parseGeminiUrl(url, answer);
  }

  /** Every Gemini URL needs the network. */
  refuse(): null {
    return null;
  }

  /** The tenant and the fingerprint of the identity that would be presented. */
  async variant(request: GeminiRequest, { tenant }: Principal): Promise<string> {
    const identity = await this.identities.forRequest(tenant, request);
    return identity.ok && identity.value !== null ? variantOf(tenant, identity.value) : '';
  }

  async exchange(request: GeminiRequest, context: ExchangeContext): Promise<Exchange<GeminiDocument>> {
    const { maxResponseBytes, deniedMimeTypes } = this.options;
    const reply = await this.#ask(request, context, {
      maxBytes: maxResponseBytes,
      wantsBody: ({ meta }) => !isDeniedAsDeclared(parseMime(meta), deniedMimeTypes),
    });
    if (!reply.ok) return { kind: 'failure', failure: reply.error };
    const { response, connection, variant } = reply.value;
    const exchange = { ...interpretResponse(request, response, deniedMimeTypes), connection };
    return exchange.kind === 'document' ? { ...exchange, variant } : exchange;
  }

  /** The deny list does not apply: the policy is for us, not for the caller. */
  async probeRobots(request: GeminiRequest, context: ExchangeContext): ReturnType<ProtocolAdapter['probeRobots']> {
    const wanted: ReaderOptions = {
      maxBytes: Math.min(MAX_ROBOTS_BYTES, this.options.maxResponseBytes),
      wantsBody: () => true,
    };
    let asked = parseGeminiUrl(`${origin(request.host, request.port)}/robots.txt`);
    let firstContact: ConnectionInfo | undefined;
    for (let hop = 0; hop <= MAX_ROBOTS_REDIRECTS; hop++) {
      if (!asked.ok) return probeFailed(asked.error);
      const reply = await this.#ask(asked.value, context, wanted);
      if (!reply.ok) return probeFailed(reply.error);
      // The remark on a new pin belongs to the connection that made it.
      firstContact ??= reply.value.connection;
      const reading = readRobots(asked.value, reply.value.response);
      if (reading.kind !== 'moved') return { ...reading, connection: firstContact };
      asked = ok(reading.target);
    }
    return firstContact === undefined ? { kind: 'absent' } : { kind: 'absent', connection: firstContact };
  }

  render(document: GeminiDocument, { displayUrl }: GeminiRequest, bounds: WindowBounds): Steps<RenderedWindow> {
    return renderWindow(document, displayUrl, bounds);
  }

  describe({ displayUrl, host, port, path, query }: GeminiRequest): RequestInfo {
    return { url: displayUrl, host, port, path: sanitizeField(path), has_query: query !== null };
  }

  describeRefused(url: string): RequestInfo {
    return { url: echoRefused(url) };
  }

  /** One request and its response. Pins that cannot be read are noticed before a connection is opened. */
  async #ask(request: GeminiRequest, context: ExchangeContext, wanted: ReaderOptions): Promise<Result<Reply, Failure>> {
    const { host, port, path, wireUrl } = request;
    const { addresses, deadline, principal } = context;
    const ready = await this.trust.ready(host, port);
    if (!ready.ok) return ready;
    const found = await this.identities.forRequest(principal.tenant, { host, port, path });
    if (!found.ok) return found;
    const identity = found.value;

    let warning: string | null = null;
    const admit: TlsDial['admit'] = async (certificate) => {
      const verdict = await this.trust.verify(host, port, certificate, deadline);
      if (!verdict.ok) return identity === null ? verdict.error : withDisclosure(verdict.error);
      warning = verdict.value.warning;
      return null;
    };
    const reader = new ResponseReader(wanted);
    const line = `${wireUrl}\r\n`;
    const answer = await this.dialer.dial({ host, port, addresses, identity, request: line, reader, admit, deadline });
    if (!answer.ok) return err(answer.error);
    const { response, connection } = answer.value;
    const variant = identity === null ? '' : variantOf(principal.tenant, identity);
    return ok({ response, connection: connectionInfo(connection, warning, identity !== null), variant });
  }
}

/** What one tenant was given for one of its identities is for that tenant alone, even if two tenants had the same identity. */
function variantOf(tenant: string, { fingerprint }: ClientIdentity): string {
  return `${tenant}\0${fingerprint}`;
}

/** How many redirects of robots.txt, within the same host and port, are followed. */
const MAX_ROBOTS_REDIRECTS = 1;

function connectionInfo(
  { version, cipher, fingerprint }: TlsConnection,
  tofuWarning: string | null,
  hasIdentity: boolean,
): ConnectionInfo {
  return {
    tls_version: version,
    cipher,
    ...(fingerprint !== null && { cert_fingerprint: `sha256:${fingerprint}` }),
    tofu_warning: tofuWarning,
    ...(hasIdentity && version === 'TLSv1.2' && { client_cert_warning: CLIENT_CERT_WARNING }),
  };
}

const CLIENT_CERT_WARNING =
  'The client certificate was sent over TLS 1.2, which shows it to anyone who watches the connection.';

/** The handshake offers the identity before the server can be judged: whoever decides about a changed certificate must know. */
function withDisclosure(failure: Failure): Failure {
  return { ...failure, message: `${failure.message} The client identity for this URL was offered in the handshake.` };
}
