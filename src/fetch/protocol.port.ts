/**
 * What a protocol must supply to be fetched through the one pipeline: pure parts (parse, render, describe) and one I/O part
 * (exchange). The pipeline knows no protocol; a protocol knows neither cache, pacing, robots policy nor windows' storage.
 */
import type { Deadline } from '../common/deadline.js';
import type { Failure } from '../common/error-codes.js';
import type { JsonObject } from '../common/json.js';
import type { Principal } from '../common/principal.js';
import type { RequestInfo } from '../common/request-info.js';
import type { Result } from '../common/result.js';
import type { Steps } from '../common/steps.js';
import type { RobotsProbe } from '../safety/index.js';
import type { VettedAddress } from '../safety/index.js';

/** What a tool call asks of a protocol. */
export interface FetchCall {
  readonly url: string;
  /** Gopher search terms or a Gemini input answer; null when the call has none. Replaces the URL's own. */
  readonly answer: string | null;
  /** Skip the cache for this read; the answer still fills it. */
  readonly refresh: boolean;
  /** Start of the window: menu items, or code points of text; >= 0. */
  readonly offset: number;
  readonly format: RenderFormat;
}

/** How a page is rendered: the contract's full form, or one of the shorter ones. */
export type RenderFormat = 'full' | 'text' | 'links' | 'outline';

/** A parsed URL, as far as the pipeline needs to know it. */
export interface FetchRequest {
  /** Normalised (common/net/host): allow-list, address check, pacing, robots, SNI and request line all use this value. */
  readonly host: string;
  readonly port: number;
  /** Canonical form for cache, held bodies and in-flight sharing; null when the answer must be neither stored nor shared. */
  readonly key: string | null;
  /** The spellings under which robots rules are tried. */
  readonly robotsPaths: readonly string[];
}

/** A decoded body, from which any window can be rendered. Plain data: it can be stored as JSON. */
export interface HeldDocument {
  /** Memory it takes, in bytes, for the bound on held bodies. */
  readonly heldBytes: number;
}

/** Why a body ended early; what arrived is delivered. */
export type IncompleteReason = 'size_cap' | 'timeout' | 'no_close_notify';

/** Facts of the connection for request_info. */
export type ConnectionInfo = Pick<
  RequestInfo,
  'tls_version' | 'cipher' | 'cert_fingerprint' | 'tofu_warning' | 'client_cert_warning'
>;

/** What one exchange with a server gave. */
export type Exchange<D extends HeldDocument> =
  | {
      readonly kind: 'document';
      readonly document: D;
      readonly incomplete: IncompleteReason | null;
      readonly connection: ConnectionInfo;
      /** {@link ProtocolAdapter.variant} as it was when the request went out; it may have changed while that waited. */
      readonly variant?: string;
    }
  /** A complete result that is never stored: redirect, input prompt, certificate prompt. */
  | {
      readonly kind: 'answer';
      readonly members: JsonObject & { readonly kind: string };
      readonly connection: ConnectionInfo;
    }
  | {
      readonly kind: 'failure';
      readonly failure: Failure;
      /** Present when the server was reached and the echo shall show the connection. */
      readonly connection?: ConnectionInfo;
      /** The host asks for a pause (Gemini 44): its field verbatim, for the back-off. */
      readonly slowDown?: string;
    };

/** Where a window starts and what bounds it; 0 = no bound. */
export interface WindowBounds {
  readonly offset: number;
  readonly maxItems: number;
  readonly maxChars: number;
  /** Bytes of the compact members. */
  readonly maxBytes: number;
  readonly format: RenderFormat;
}

/** A window of a document: the payload's constant members (kind first) and where the next one starts. */
export interface RenderedWindow {
  readonly members: JsonObject & { readonly kind: string };
  readonly nextOffset: number | null;
}

/** What the pipeline gives an exchange. */
export interface ExchangeContext {
  /** On whose behalf, which decides the client identity that is presented. */
  readonly principal: Principal;
  readonly addresses: readonly VettedAddress[];
  readonly deadline: Deadline;
}

/** A protocol as the pipeline sees it. */
export interface ProtocolAdapter<R extends FetchRequest = FetchRequest, D extends HeldDocument = HeldDocument> {
  /** Lowercase scheme. */
  readonly name: string;
  /** Parses and validates; INVALID_REQUEST. Checks no policy. */
  parse(call: FetchCall): Result<R, Failure>;
  /** A request that is answered without any network, before robots (Gopher's interactive types). */
  refuse(request: R): Failure | null;
  /**
   * Separates answers that depend on who asks: the client identity that the request would present, else ''.
   * Part of every cache, held-body and in-flight key.
   */
  variant(request: R, principal: Principal): Promise<string>;
  /** One request, one answer. Resolves always; ends at the deadline with every socket destroyed. */
  exchange(request: R, context: ExchangeContext): Promise<Exchange<D>>;
  /** Reads robots.txt of the request's host. */
  probeRobots(request: R, context: ExchangeContext): Promise<RobotsProbe & { readonly connection?: ConnectionInfo }>;
  /** Pure. In steps where it goes over all of a body, which may have a million lines. */
  render(document: D, request: R, bounds: WindowBounds): RenderedWindow | Steps<RenderedWindow>;
  /** The echo of a request that was parsed; without timestamp and connection. */
  describe(request: R): RequestInfo;
  /** The echo of a URL that was not: never a query, never userinfo. */
  describeRefused(url: string): RequestInfo;
}
