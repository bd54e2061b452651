/** Settings of Gopher: variables `GOPHER_*`. */
import { ProtocolConfig } from './protocol.config.js';
import { integer } from './setting-kinds.js';
import { Setting } from './setting.js';

/** Effective settings of Gopher, and their injection token. */
export class GopherConfig extends ProtocolConfig {
  @Setting(integer(1, 65_536), 'Longest selector, in characters after decoding.')
  readonly maxSelectorLength: number = 1024;

  @Setting(integer(1, 4096), 'Longest search terms, in characters after decoding.')
  readonly maxSearchLength: number = 256;

  @Setting(integer(0, 1_000_000), 'Items of a menu in one answer; the rest is read with `offset`. 0 = no limit.')
  readonly maxMenuItems: number = 1000;
}
