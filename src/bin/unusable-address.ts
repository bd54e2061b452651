/** Thrown when an address that the settings name cannot be listened on; `cause` is the system's error. */
export class UnusableAddress extends Error {
  /**
   * @param settings the variables that name it
   * @param address `host:port`
   */
  constructor(
    readonly settings: string,
    readonly address: string,
    cause: unknown,
  ) {
    super(`${address} cannot be listened on`, { cause });
    this.name = 'UnusableAddress';
  }
}
