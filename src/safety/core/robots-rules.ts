/**
 * Reads a robots.txt into the rules that bind us.
 *
 * The grammar is the one of 1994: `User-agent` and `Disallow` lines, `#` comments, names in any case. What it leaves open
 * follows RFC 9309: a byte order mark is skipped, blank lines mean nothing, `*` in a path stands for any run of
 * characters, and a final `$` for its end. `Allow`, `Crawl-delay`, `Sitemap` and all else say nothing to us, but end a run of
 * agent lines as a rule does.
 *
 * Whose rules bind us: all groups that name one of our agents together; the group for `*` only if there is no such group,
 * not even an empty one; and in any case the groups that name an AI crawler, which only ever add rules.
 *
 * @see https://www.robotstxt.org/orig.html
 * @see https://www.rfc-editor.org/rfc/rfc9309
 * @see https://geminiprotocol.net/docs/companion/robots.gmi
 */
import { STRIDE, type Steps } from '../../common/steps.js';
import { parseRule, type RobotsPattern } from './robots-pattern.js';

/** Agents of companies that read for language models; what is asked of them is asked of us. */
export const AI_AGENTS: readonly string[] = [
  'anthropic-ai',
  'ccbot',
  'chatgpt-user',
  'claude-code',
  'claude-searchbot',
  'claude-user',
  'claude-web',
  'claudebot',
  'cohere-ai',
  'gptbot',
  'oai-searchbot',
  'perplexity-user',
  'perplexitybot',
];

/** Whose groups bind us. */
export interface RobotsAgents {
  /** Our own names, lowercase. */
  readonly own: readonly string[];
  /** Names whose groups bind us as well, lowercase; {@link AI_AGENTS} or none. */
  readonly additional: readonly string[];
}

/** The paths a host does not want us to read. Plain data: it can be stored as JSON. */
export type RobotsRules = readonly RobotsPattern[];

/** No restriction. */
export const NO_RULES: RobotsRules = [];

/** The rules of `text` that bind `agents`. Total: what is no robots.txt gives no rules. */
export function* parseRobots(text: string, agents: RobotsAgents): Steps<RobotsRules> {
  const groups = new GroupReader(agents);
  let from = text.startsWith('\uFEFF') ? 1 : 0;
  for (let lines = 1; from < text.length; lines++) {
    if (lines % STRIDE === 0) yield;
    const end = lineEnd(text, from);
    const field = parseLine(text.slice(from, end));
    if (field) groups.read(field);
    from = end + 1;
  }
  return yield* groups.rules();
}

/** LF, CR and CRLF end a line; the empty line that CRLF gives means nothing. */
function lineEnd(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x0a || unit === 0x0d) return i;
  }
  return text.length;
}

interface Field {
  readonly name: string;
  readonly value: string;
}

function parseLine(line: string): Field | null {
  const hash = line.indexOf('#');
  const content = hash === -1 ? line : line.slice(0, hash);
  const colon = content.indexOf(':');
  if (colon === -1) return null;
  return { name: content.slice(0, colon).trim().toLowerCase(), value: content.slice(colon + 1).trim() };
}

/** Collects the rules of each kind of group while lines go by. */
class GroupReader {
  readonly #own = new Set<string>();
  readonly #additional = new Set<string>();
  /** Rules that bind us, as written. */
  readonly #ownRules = new Set<string>();
  readonly #everyoneRules = new Set<string>();
  readonly #additionalRules = new Set<string>();
  #ownGroupSeen = false;
  /** Where rules of the current group go; the next agent line joins it or opens another. */
  #targets = new Set<Set<string>>();
  #inAgentRun = false;

  constructor({ own, additional }: RobotsAgents) {
    for (const name of own) this.#own.add(name);
    for (const name of additional) this.#additional.add(name);
  }

  read({ name, value }: Field): void {
    if (name === 'user-agent') {
      if (!this.#inAgentRun) this.#targets = new Set();
      this.#inAgentRun = true;
      this.#join(agentToken(value));
      return;
    }
    this.#inAgentRun = false;
    if (name === 'disallow' && value !== '') for (const rules of this.#targets) rules.add(value);
  }

  *rules(): Steps<RobotsRules> {
    const binding = this.#ownGroupSeen ? this.#ownRules : this.#everyoneRules;
    const patterns: RobotsPattern[] = [];
    let count = 0;
    for (const rules of [binding, this.#additionalRules]) {
      for (const rule of rules) {
        if (++count % STRIDE === 0) yield;
        if (rules === binding || !binding.has(rule)) patterns.push(...parseRule(rule));
      }
    }
    return patterns;
  }

  #join(agent: string): void {
    if (agent === '*') this.#targets.add(this.#everyoneRules);
    if (this.#additional.has(agent)) this.#targets.add(this.#additionalRules);
    if (this.#own.has(agent)) {
      this.#targets.add(this.#ownRules);
      this.#ownGroupSeen = true;
    }
  }
}

/** The name without a version behind it: `gopher-mcp/1` and `gopher-mcp 1` both mean `gopher-mcp`. */
function agentToken(value: string): string {
  const end = value.search(/[/\s]/);
  return (end === -1 ? value : value.slice(0, end)).toLowerCase();
}
