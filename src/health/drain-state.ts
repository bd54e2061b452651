/** Whether this server has been told to stop, and whether anybody would notice. Says; the program acts. */
export class DrainState {
  #isDraining = false;
  #isWatched = false;

  /** True from the moment on at which no new calls should be sent here. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Whether something has ever asked if this server is ready: a balancer or an orchestrator, which will learn of the drain. */
  get isWatched(): boolean {
    return this.#isWatched;
  }

  /** Asks for no more calls. Cannot be taken back. */
  begin(): void {
    this.#isDraining = true;
  }

  /** Somebody asked whether this server is ready. */
  watched(): void {
    this.#isWatched = true;
  }
}
