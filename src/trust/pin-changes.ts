import type { PinObserver } from './pin-observer.port.js';

/** Passes on what happens to pins. Whoever keeps answers of a host subscribes; trust knows none of them. */
export class PinChanges implements PinObserver {
  readonly #listeners: ((host: string, port: number) => void)[] = [];

  pinChanged(host: string, port: number): void {
    for (const listener of this.#listeners) listener(host, port);
  }

  /** Calls `listener` for every change from now on. */
  subscribe(listener: (host: string, port: number) => void): void {
    this.#listeners.push(listener);
  }
}
