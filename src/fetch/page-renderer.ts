/**
 * Makes the window of a body that a call asks for, as it is stored and sent: within the bytes that a result may have, and without
 * holding up the event loop however long the body is.
 */
import type { Clock } from '../common/clock.port.js';
import type { Deadline } from '../common/deadline.js';
import { inTurns, nextTurn } from '../common/in-turns.js';
import type { RequestInfo } from '../common/request-info.js';
import { isSteps } from '../common/steps.js';
import type { CachedPage } from '../cache/index.js';
import type { HeldBody } from './held-bodies.js';
import type { FetchCall, FetchRequest, HeldDocument, ProtocolAdapter, WindowBounds } from './protocol.port.js';
import { packPage, pageOverheadBytes } from './results.js';

/** Bounds of a window; 0 = none. */
export interface PageBounds {
  readonly maxItems: number;
  readonly maxChars: number;
  /** Of the compact JSON of one result. */
  readonly maxBytes: number;
}

/** A page, and where the next one begins; null at the end. */
export interface RenderedPage {
  readonly page: CachedPage;
  readonly nextOffset: number | null;
}

/** Least room for a window, however long the echo of its URL is. */
const MIN_WINDOW_BYTES = 1024;

/** Decoding a longer document, and writing a longer page, is work enough for a turn of its own. */
const LONG_BODY_BYTES = 128 * 1024;

/** See the file's header. */
export class PageRenderer<R extends FetchRequest, D extends HeldDocument> {
  constructor(
    private readonly adapter: Pick<ProtocolAdapter<R, D>, 'render'>,
    private readonly bounds: PageBounds,
    private readonly clock: Clock,
  ) {}

  /**
   * @param info the echo that the result will carry
   * @param deadline rejects with its reason when the caller goes away meanwhile
   */
  async render(
    call: FetchCall,
    request: R,
    info: RequestInfo,
    { document, incomplete, fetchedAtMs, connection }: HeldBody<D>,
    deadline: Deadline,
  ): Promise<RenderedPage> {
    const { adapter, clock } = this;
    if (document.heldBytes > LONG_BODY_BYTES) await nextTurn(clock);
    const rendered = adapter.render(document, request, this.#bounds(call, request, info));
    const window = isSteps(rendered) ? await inTurns(rendered, clock, deadline) : rendered;
    const page = await inTurns(packPage(window, request, incomplete, fetchedAtMs, connection), clock, deadline);
    if (page.constant.length > LONG_BODY_BYTES) await nextTurn(clock);
    return { page, nextOffset: window.nextOffset };
  }

  /** What is left for the window of the bytes of a result, after the members that every page gets. */
  #bounds({ offset, format }: FetchCall, request: R, info: RequestInfo): WindowBounds {
    const { maxItems, maxChars, maxBytes } = this.bounds;
    const left = Math.max(MIN_WINDOW_BYTES, maxBytes - pageOverheadBytes(request, info));
    return { offset, format, maxItems, maxChars, maxBytes: maxBytes === 0 ? 0 : left };
  }
}
