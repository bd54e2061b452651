/** The effective fetch policy as a resource, so that a refusal can be explained without the operator's shell. Read-only. */
import type { JsonValue } from '../../common/json.js';

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

  /** The policy as text, then as JSON for programs. */
  contents(): PolicyContents[] {
    const { uri, mimeType } = POLICY_RESOURCE;
    return [
      { uri, mimeType, text: asText(this.sections) },
      { uri, mimeType: 'application/json', text: asJson(this.sections) },
    ];
  }
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
