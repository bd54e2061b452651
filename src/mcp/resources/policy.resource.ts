/**
 * The effective fetch policy as a resource, so that a refusal can be explained without the operator's shell. Read-only. A caller whose
 * tenant has rules of its own sees these as well, and nobody else's.
 */
import type { JsonValue } from '../../common/json.js';
import type { Principal } from '../../common/principal.js';

/** The resource as it is listed. */
export const POLICY_RESOURCE = {
  uri: 'gopher-mcp://policy',
  name: 'fetch_policy',
  title: 'Effective fetch policy',
  description:
    'What this server may fetch and how: hosts, ports, limits, robots and trust settings. No paths, no secrets.',
  mimeType: 'text/plain',
};

/** One part of the policy: a protocol, or the server. */
export interface PolicySection {
  readonly name: string;
  /** Sorted by name. */
  readonly fields: readonly { readonly name: string; readonly value: JsonValue; readonly literal: string }[];
}

/** One form of the policy. */
interface PolicyContents {
  readonly uri: string;
  readonly mimeType: string;
  readonly text: string;
}

/** Renders the policy; the settings are those in force. */
export class PolicyReader {
  constructor(private readonly sections: readonly PolicySection[]) {}

  /** The policy for a caller as text, then as JSON for programs. */
  contents(principal: Principal): PolicyContents[] {
    const { uri, mimeType } = POLICY_RESOURCE;
    const sections = principal.rules === undefined ? this.sections : [...this.sections, tenantSection(principal)];
    return [
      { uri, mimeType, text: asText(sections) },
      { uri, mimeType: 'application/json', text: asJson(sections) },
    ];
  }
}

/** What the caller's tenant may use of all that stands in the other sections. */
function tenantSection({ tenant, rules }: Principal): PolicySection {
  const hosts = [...(rules?.hosts ?? [])].flatMap(([protocol, { allowed, denied }]) => [
    field(`${protocol}_allowed_hosts`, allowed),
    field(`${protocol}_denied_hosts`, denied),
  ]);
  const fields = [
    field('name', tenant),
    field('scopes', rules === undefined ? null : [...rules.scopes]),
    field('tools', rules?.tools ? [...rules.tools] : null),
    ...hosts,
  ];
  return { name: 'Tenant', fields: fields.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

function field(name: string, value: string | readonly string[] | null): PolicySection['fields'][number] {
  const literal = Array.isArray(value)
    ? `[${value.map((item) => JSON.stringify(item)).join(', ')}]`
    : JSON.stringify(value);
  return { name, value, literal };
}

function asText(sections: readonly PolicySection[]): string {
  const lines = ['gopher-mcp effective fetch policy', ''];
  for (const { name, fields } of sections) {
    lines.push(`[${name}]`, ...fields.map((field) => `  ${field.name} = ${field.literal}`), '');
  }
  return lines.join('\n');
}

function asJson(sections: readonly PolicySection[]): string {
  const entries = sections.map(({ name, fields }) => {
    const values = fields.map((field): [string, JsonValue] => [field.name, field.value]);
    return [name.toLowerCase(), Object.fromEntries(values)];
  });
  return JSON.stringify(Object.fromEntries(entries), null, 2);
}
