/**
 * The file of the tenants: JSON, made by a person.
 *
 *     { "tenants": { "acme": {
 *         "scopes": ["smallweb:read", "smallweb:identity"],
 *         "tools": ["gemini_fetch", "gopher_fetch"],
 *         "hosts": { "gemini": { "allowed": [".example.org"], "denied": ["old.example.org"] } },
 *         "quotas": { "tenant": { "requests_per_minute": 600, "concurrent": 20 }, "subject": { "requests_per_minute": 60 } } } },
 *       "others": { "scopes": ["smallweb:read"] } }
 *
 * What a tenant does not mention it may use as far as the deployment does; an empty list allows nothing. `others` stands for every
 * tenant that is not named; without it they are refused. A member that is not known is a mistake: it was meant to restrict something.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../common/json.js';
import { isTenantName, MAX_TENANT_CHARS } from '../../common/principal.js';
import { err, ok, type Result } from '../../common/result.js';
import { SCOPES } from '../../common/scope.js';
import type { CallLimits, TenantRules } from '../../common/tenant-rules.js';
import { quote } from '../../common/text/quote.js';
import { ListedHosts } from './tenant-hosts.js';

/** The tenants of a deployment. */
export interface TenantTable {
  readonly tenants: ReadonlyMap<string, TenantRules>;
  /** Rules of every tenant that is not named; null = they are not served. */
  readonly others: TenantRules | null;
}

/** What the file may name. */
export interface TenantTerms {
  /** Lowercase schemes. */
  readonly protocols: readonly string[];
  readonly toolNames: readonly string[];
  /** The one spelling of a host or `.domain`, or what is wrong with it. */
  readonly parseHost: (entry: string) => Result<string, string>;
}

/** A mistake in the file. */
export interface TenantProblem {
  /** `tenants.acme.quotas.tenant.concurrent`; empty for the file as a whole. */
  readonly field: string;
  /** Starts with `must`. */
  readonly requirement: string;
}

/** Highest number of anything in a quota. */
const MAX_LIMIT = 1_000_000;

/** Reads the file; fails with every mistake that is in it. */
export function parseTenants(text: string, terms: TenantTerms): Result<TenantTable, readonly TenantProblem[]> {
  const reading = new Reading(terms);
  const root = reading.object('', parsed(text));
  if (root === undefined) return err(reading.problems);
  reading.onlyKnown('', root, ['tenants', 'others']);
  const tenants = new Map<string, TenantRules>();
  for (const [name, value] of Object.entries(reading.object('tenants', root['tenants'] ?? {}) ?? {})) {
    const field = `tenants.${name}`;
    if (!isTenantName(name)) reading.wrong(field, NAME_REQUIREMENT);
    else tenants.set(name, reading.rules(field, value));
  }
  const others = root['others'] === undefined ? null : reading.rules('others', root['others']);
  return reading.problems.length > 0 ? err(reading.problems) : ok({ tenants, others });
}

const NAME_REQUIREMENT = `must be named by 1 to ${MAX_TENANT_CHARS} letters, digits, dots, dashes and underscores, a letter or digit first`;

/** Reads values of the file, and collects what is wrong with them. */
class Reading {
  readonly problems: TenantProblem[] = [];

  constructor(private readonly terms: TenantTerms) {}

  wrong(field: string, requirement: string): void {
    this.problems.push({ field, requirement });
  }

  rules(field: string, value: JsonValue | undefined): TenantRules {
    const tenant = this.object(field, value) ?? {};
    this.onlyKnown(field, tenant, ['scopes', 'tools', 'hosts', 'quotas']);
    const { toolNames } = this.terms;
    const scopes = this.words(`${field}.scopes`, tenant['scopes'], SCOPES);
    const tools = this.words(`${field}.tools`, tenant['tools'], toolNames);
    return {
      scopes: new Set(SCOPES.filter((scope) => scopes?.includes(scope) ?? true)),
      tools: tools === null ? null : new Set(tools),
      hosts: this.#hosts(`${field}.hosts`, tenant['hosts']),
      quotas: this.#quotas(`${field}.quotas`, tenant['quotas']),
    };
  }

  object(field: string, value: unknown): JsonObject | undefined {
    if (isJsonObject(value)) return value;
    this.wrong(field, 'must be a JSON object');
    return undefined;
  }

  onlyKnown(field: string, value: JsonObject, known: readonly string[]): void {
    for (const name of Object.keys(value)) {
      if (!known.includes(name))
        this.wrong(field === '' ? name : `${field}.${name}`, `must be one of ${known.join(', ')}`);
    }
  }

  words(field: string, value: JsonValue | undefined, known: readonly string[]): readonly string[] | null {
    return this.#list(field, value, `must be a list of ${known.join(', ')}`, (entry) =>
      known.includes(entry) ? ok(entry) : err(`${quote(entry)} is not one of them`),
    );
  }

  #hosts(field: string, value: JsonValue | undefined): TenantRules['hosts'] {
    const hosts = new Map<string, ListedHosts>();
    if (value === undefined) return hosts;
    const byProtocol = this.object(field, value) ?? {};
    this.onlyKnown(field, byProtocol, this.terms.protocols);
    const requirement = 'must be a list of host names, addresses, or .domain';
    for (const [protocol, lists] of Object.entries(byProtocol)) {
      const own = `${field}.${protocol}`;
      const { allowed, denied, ...rest } = this.object(own, lists) ?? {};
      this.onlyKnown(own, rest, ['allowed', 'denied']);
      const { parseHost } = this.terms;
      hosts.set(
        protocol,
        new ListedHosts(
          this.#list(`${own}.allowed`, allowed, requirement, parseHost),
          this.#list(`${own}.denied`, denied, requirement, parseHost),
        ),
      );
    }
    return hosts;
  }

  #quotas(field: string, value: JsonValue | undefined): TenantRules['quotas'] {
    const { tenant, subject, ...rest } = value === undefined ? {} : (this.object(field, value) ?? {});
    this.onlyKnown(field, rest, ['tenant', 'subject']);
    return { tenant: this.#limits(`${field}.tenant`, tenant), subject: this.#limits(`${field}.subject`, subject) };
  }

  #limits(field: string, value: JsonValue | undefined): CallLimits {
    const limits = value === undefined ? {} : (this.object(field, value) ?? {});
    this.onlyKnown(field, limits, ['requests_per_minute', 'concurrent']);
    return {
      requestsPerMinute: this.#count(`${field}.requests_per_minute`, limits['requests_per_minute']),
      concurrent: this.#count(`${field}.concurrent`, limits['concurrent']),
    };
  }

  #count(field: string, value: JsonValue | undefined): number | null {
    if (value === undefined) return null;
    if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_LIMIT) return value;
    this.wrong(field, `must be a whole number from 1 to ${MAX_LIMIT}`);
    return null;
  }

  /** Null when there is none; what is wrong with an entry is told and the entry left out. */
  #list(
    field: string,
    value: JsonValue | undefined,
    requirement: string,
    entryOf: (entry: string) => Result<string, string>,
  ): readonly string[] | null {
    if (value === undefined) return null;
    const items: readonly JsonValue[] = Array.isArray(value) ? value : [value];
    const entries: string[] = [];
    const complaints: string[] = [];
    for (const item of items) {
      const entry = typeof item === 'string' ? entryOf(item) : err(`${JSON.stringify(item)} is no text`);
      if (entry.ok) entries.push(entry.value);
      else complaints.push(entry.error);
    }
    if (!Array.isArray(value)) this.wrong(field, requirement);
    else if (complaints.length > 0) this.wrong(field, `${requirement} (${complaints.join('; ')})`);
    return entries;
  }
}

/** The value of a JSON text; undefined when it is none, which is no object either. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
