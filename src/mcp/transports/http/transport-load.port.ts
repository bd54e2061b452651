/** What goes on at an HTTP transport at one moment. */
export interface TransportLoad {
  /** Requests that are not answered yet. */
  readonly inFlight: number;
  /** Sessions, or open streams where a session is one. */
  readonly sessionCount: number;
}

/** Injection token of {@link TransportLoad}. */
export const TransportLoad = Symbol('TransportLoad');
