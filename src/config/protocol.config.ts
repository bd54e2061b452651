/** Settings that both protocols have, each under its own prefix. */
import { allowedHosts, boolean, decimal, integer, networks, ports, positiveDecimal } from './setting-kinds.js';
import { Setting } from './setting.js';

/** Base of {@link GopherConfig} and {@link GeminiConfig}. */
export abstract class ProtocolConfig {
  @Setting(
    integer(1024, 104_857_600),
    'Most bytes read of one response; on Gemini the header counts. What arrived before is delivered and marked incomplete.',
  )
  readonly maxResponseSize: number = 1_048_576;

  @Setting(
    positiveDecimal(300),
    'Seconds on the wire that one fetch may take: name resolution, connecting, TLS, sending, reading and asking for robots.txt together. Waiting for a turn is not counted.',
  )
  readonly timeoutSeconds: number = 30;

  @Setting(
    decimal(0, 600),
    'Longest wait in seconds for our own spacing of requests or for a free slot; a longer one is refused with `SLOW_DOWN`. A batch has this plus the timeout for everything.',
  )
  readonly maxWaitSeconds: number = 60;

  @Setting(boolean(), 'Keep pages in memory and answer repeated reads from there.')
  readonly cacheEnabled: boolean = true;

  @Setting(integer(0, 86_400), 'Seconds that a cached page is served; 0 turns the cache off.')
  readonly cacheTtlSeconds: number = 300;

  @Setting(integer(1, 100_000), 'Most cached pages; the least recently used goes first.')
  readonly maxCacheEntries: number = 1000;

  @Setting(
    allowedHosts(),
    'When set, only these hosts are contacted: names or addresses, compared in their normalised form, or `.example.org` for every name below example.org.',
  )
  readonly allowedHosts: readonly string[] | null = null;

  @Setting(
    boolean(),
    'Allow addresses that are not on the public internet (loopback, private, link-local, ...). The rules for ports stay.',
  )
  readonly allowLocalHosts: boolean = false;

  @Setting(
    networks(),
    'Networks that may be contacted although they are not on the public internet, judged on resolved addresses. Opens no dangerous port.',
  )
  readonly allowedNetworks: readonly string[] | null = null;

  @Setting(networks(), 'Networks that are never contacted, judged on resolved addresses; goes before every permission.')
  readonly deniedNetworks: readonly string[] | null = null;

  @Setting(
    ports(),
    'When set, only these ports are contacted. Dangerous ports (SSH, SMTP, databases, ...) stay closed even when listed.',
  )
  readonly allowedPorts: readonly number[] | null = null;

  @Setting(integer(0, 10_485_760), 'Characters of text in one answer; the rest is read with `offset`. 0 = no limit.')
  readonly maxRenderedChars: number = 50_000;

  @Setting(integer(0, 1000), 'Fetches in progress at the same time. 0 = no limit.')
  readonly maxConcurrentRequests: number = 5;

  @Setting(
    decimal(0, 6000),
    'Requests to one host in a minute, evenly spaced. 0 = no spacing; a pause that a host asks for is kept all the same.',
  )
  readonly requestsPerMinute: number = 60;

  @Setting(boolean(), "Ask for a host's robots.txt first and obey it.")
  readonly respectRobotsTxt: boolean = true;

  @Setting(integer(0, 604_800), 'Seconds that the answer to robots.txt is remembered; 0 = ask each time.')
  readonly robotsCacheTtlSeconds: number = 86_400;

  @Setting(boolean(), 'Obey the groups of robots.txt that name AI crawlers as well.')
  readonly robotsHonorAiTokens: boolean = true;

  @Setting(decimal(0, 3600), 'Seconds before robots.txt is asked for again after that failed.')
  readonly robotsFailureBackoffSeconds: number = 60;
}
