/**
 * Ports for recorded scenarios.
 *
 * The length of a URL depends on the number of digits of its port, so a recorded port is replaced by a free one with
 * the same number of digits, everywhere in the scenario.
 */
import { isArray, isObject, type Json } from './json.js';
import { LoopbackServer, type Reception } from './loopback-server.js';

/**
 * Ports to choose from, by number of digits. They lie below the ephemeral ports and hold none of the numbers that
 * scenarios expect to be closed (7998, 7999) or refused as dangerous.
 */
const RANGES: Readonly<Record<number, readonly [first: number, count: number]>> = { 4: [7100, 890], 5: [19000, 990] };
const ATTEMPTS = 200;

/** A server on a free port that has as many digits as `like`. */
export async function listenOnPortLike(like: number, host: string, receive: () => Reception): Promise<LoopbackServer> {
  const [first, count] = RANGES[String(like).length] ?? [0, 0];
  let failure: unknown = new Error(`there is no range of ports for ${like}`);
  for (let attempt = 0; attempt < ATTEMPTS && count > 0; attempt++) {
    try {
      return await LoopbackServer.listen(host, first + Math.floor(Math.random() * count), receive);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/** Replaces recorded ports by others in values and texts, and back again in reports. */
export class PortMap {
  readonly #actual: ReadonlyMap<string, string>;
  readonly #recorded: ReadonlyMap<string, string>;

  /** @param actual the port in use by the recorded one */
  constructor(actual: ReadonlyMap<number, number>) {
    const pairs = [...actual].map(([recorded, port]): [string, string] => [String(recorded), String(port)]);
    this.#actual = new Map(pairs);
    this.#recorded = new Map(pairs.map(([recorded, port]) => [port, recorded]));
  }

  /** The value with the ports in use: in strings, numbers, member names and inside base64 bodies. */
  apply(value: Json): Json {
    if (typeof value === 'string') return replaceNumbers(value, this.#actual);
    if (typeof value === 'number') return Number(this.#actual.get(String(value)) ?? value);
    if (isArray(value)) return value.map((entry) => this.apply(entry));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([member, below]) => [
        replaceNumbers(member, this.#actual),
        member === 'b64' && typeof below === 'string' ? this.#applyToBase64(below) : this.apply(below),
      ]),
    );
  }

  /** The text with the recorded ports. */
  undo(text: string): string {
    return replaceNumbers(text, this.#recorded);
  }

  #applyToBase64(encoded: string): string {
    const bytes = Buffer.from(encoded, 'base64').toString('latin1');
    return Buffer.from(replaceNumbers(bytes, this.#actual), 'latin1').toString('base64');
  }
}

/** Replaces whole runs of digits only. */
function replaceNumbers(text: string, table: ReadonlyMap<string, string>): string {
  return text.replace(/\d+/g, (digits) => table.get(digits) ?? digits);
}
