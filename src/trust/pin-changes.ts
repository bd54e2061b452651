import type { PinEvent, PinObserver } from './pin-observer.port.js';

/** Passes on what happens to pins. Whoever keeps answers of a host subscribes; trust knows none of them. */
export class PinChanges implements PinObserver {
  readonly #listeners: ((host: string, port: number, event: PinEvent) => void)[] = [];

  pinChanged(host: string, port: number, event: PinEvent): void {
    for (const listener of this.#listeners) listener(host, port, event);
  }

  /** Calls `listener` for every change from now on. */
  subscribe(listener: (host: string, port: number, event: PinEvent) => void): void {
    this.#listeners.push(listener);
  }
}
