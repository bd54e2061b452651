/** Settings of Gemini: variables `GEMINI_*`. */
import { ProtocolConfig } from './protocol.config.js';
import { boolean, choices, mediaTypes, path } from './setting-kinds.js';
import { Setting } from './setting.js';

/** When a changed certificate is accepted without asking: once the pinned one has expired, or when the key is the same. */
export const TOFU_RENEWALS = ['expired', 'same-key'] as const;

/** A member of {@link TOFU_RENEWALS}. */
export type TofuRenewal = (typeof TOFU_RENEWALS)[number];

/** Effective settings of Gemini, and their injection token. */
export class GeminiConfig extends ProtocolConfig {
  @Setting(
    boolean(),
    "Pin each capsule's certificate on first use and refuse a changed one. Off means that nobody is authenticated at all.",
  )
  readonly tofuEnabled: boolean = true;

  @Setting(path(), 'File of the pins; default `tofu.json` in the data directory.')
  readonly tofuStoragePath: string | null = null;

  @Setting(boolean(), 'Refuse expired certificates instead of warning about them.')
  readonly tofuRejectExpired: boolean = false;

  @Setting(
    choices(TOFU_RENEWALS),
    'When a changed certificate replaces the pin without a person: `expired` once the pinned one has expired, `same-key` when the public key is the pinned one. Empty = never.',
  )
  readonly tofuRenewal: readonly TofuRenewal[] = [];

  @Setting(boolean(), 'Keep client certificates (identities) and present them where they belong.')
  readonly clientCertsEnabled: boolean = true;

  @Setting(path(), 'Folder of the identities; default `certs` in the data directory.')
  readonly clientCertsStoragePath: string | null = null;

  @Setting(mediaTypes(), 'Media types that are refused with `CONTENT_FILTERED`, exact or `type/*`, without parameters.')
  readonly deniedMimeTypes: readonly string[] = [];
}
