/**
 * Gopher as the pipeline sees it: ties the pure parts (URL, request, document, window) to the dialer.
 *
 * @see https://www.rfc-editor.org/rfc/rfc1436 and https://www.rfc-editor.org/rfc/rfc4266
 */
import { Inject, Injectable } from '@nestjs/common';
import { failure, type Failure } from '../common/error-codes.js';
import { bracketed } from '../common/net/host.js';
import type { RequestInfo } from '../common/request-info.js';
import type { Result } from '../common/result.js';
import type { Steps } from '../common/steps.js';
import type {
  Exchange,
  ExchangeContext,
  FetchCall,
  ProtocolAdapter,
  RenderedWindow,
  WindowBounds,
} from '../fetch/index.js';
import { decodeBody, type GopherDocument } from './core/document.js';
import { categoryOf, ITEM_TYPES } from './core/item-types.js';
import { renderWindow } from './core/render.js';
import { encodeRequest, ROBOTS_REQUEST } from './core/request.js';
import type { Framing } from './core/response-reader.js';
import { decodeRobots, MAX_ROBOTS_BYTES } from './core/robots-file.js';
import { echoRefused } from './core/url-parts.js';
import { parseGopherUrl, type GopherRequest, type GopherUrlLimits } from './core/url.js';
import { GopherDialer, type GopherTransfer } from './gopher-dialer.port.js';

/** Settings of the protocol. */
export interface GopherOptions extends GopherUrlLimits {
  /** Most bytes of an answer that are read; what lies beyond is cut off and the result marked incomplete. */
  readonly maxResponseBytes: number;
}

/** Injection token of {@link GopherOptions}. */
export const GopherOptions = Symbol('GopherOptions');

/** Gopher's part of the fetch pipeline. */
@Injectable()
export class GopherProtocol implements ProtocolAdapter<GopherRequest, GopherDocument> {
  readonly name = 'gopher';

  constructor(
    @Inject(GopherDialer) private readonly dialer: GopherDialer,
    @Inject(GopherOptions) private readonly options: GopherOptions,
  ) {}

  parse({ url, answer }: FetchCall): Result<GopherRequest, Failure> {
    return parseGopherUrl(url, answer, this.options);
  }

  /** Types that are sessions: NOT_FETCHABLE, with the place to point another client to. */
  refuse({ type, host, port }: GopherRequest): Failure | null {
    if (categoryOf(type) !== 'interactive') return null;
    const what = ITEM_TYPES.get(type)?.name ?? 'session';
    const place = `${bracketed(host)}:${port}`;
    return failure('NOT_FETCHABLE', `The item is a ${what} at ${place}, which cannot be fetched.`, {
      next_step: `Tell the user to open ${place} with a client for a ${what}.`,
    });
  }

  /** Gopher knows no identities. */
  variant(): Promise<string> {
    return Promise.resolve('');
  }

  async exchange(request: GopherRequest, context: ExchangeContext): Promise<Exchange<GopherDocument>> {
    const transfer = await this.#dial(request, context, encodeRequest(request), framingOf(request.type));
    if (transfer.kind === 'failure') return transfer;
    const { body, incomplete } = transfer;
    const decoded = decodeBody(request.type, body, incomplete !== null, request.host);
    if (!decoded.ok) return { kind: 'failure', failure: decoded.error };
    return { kind: 'document', document: decoded.value, incomplete, connection: {} };
  }

  /** A file that is longer than what is read, or whose server stalls, counts as far as it arrived. */
  async probeRobots(request: GopherRequest, context: ExchangeContext): ReturnType<ProtocolAdapter['probeRobots']> {
    const transfer = await this.#dial(request, context, ROBOTS_REQUEST, 'text', MAX_ROBOTS_BYTES);
    if (transfer.kind === 'failure') return { kind: 'unavailable', cause: causeOf(transfer.failure) };
    const text = decodeRobots(transfer.body, transfer.incomplete !== null);
    return text === null ? { kind: 'absent' } : { kind: 'policy', text };
  }

  render(document: GopherDocument, request: GopherRequest, bounds: WindowBounds): Steps<RenderedWindow> {
    return renderWindow(document, request, bounds);
  }

  describe({ url, host, port, type, selectorText, searchIgnored }: GopherRequest): RequestInfo {
    const info: RequestInfo = { url, host, port, type, selector: selectorText };
    return searchIgnored ? { ...info, search_ignored: true } : info;
  }

  describeRefused(url: string): RequestInfo {
    return { url: echoRefused(url) };
  }

  #dial(
    { host, port }: GopherRequest,
    { addresses, deadline }: ExchangeContext,
    request: Buffer,
    framing: Framing,
    maxBytes = Infinity,
  ): Promise<GopherTransfer> {
    const cap = Math.min(maxBytes, this.options.maxResponseBytes);
    return this.dialer.dial({ host, port, addresses, request, framing, maxBytes: cap, deadline });
  }
}

/** Sessions are refused before anything is dialled; they have no framing. */
function framingOf(type: string): Framing {
  const category = categoryOf(type);
  return category === 'interactive' ? 'binary' : category;
}

function causeOf({ facts: { reason } }: Failure): string {
  if (reason === 'timeout') return 'timed out';
  return reason === 'refused' || reason === 'unreachable' ? 'refused or unreachable' : 'connection failed';
}
