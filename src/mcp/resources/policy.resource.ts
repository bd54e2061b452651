/** The effective fetch policy as a resource, so that a refusal can be explained without the operator's shell. Read-only. */

/** The resource as it is listed. */
export const POLICY_RESOURCE = {
  uri: 'gopher-mcp://policy',
  name: 'fetch_policy',
  title: 'Effective fetch policy',
  description: 'What this server may fetch and how: hosts, ports, limits, robots and trust settings. No paths, no secrets.',
  mimeType: 'text/plain',
};

/** A section of the policy: its name, and its settings by name. */
export interface PolicySection {
  readonly name: string;
  readonly settings: Readonly<Record<string, unknown>>;
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

  /** The policy as text, and as JSON for programs. */
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
  for (const { name, settings } of sections) {
    lines.push(`[${name}]`);
    for (const [setting, value] of sorted(settings)) lines.push(`  ${setting} = ${JSON.stringify(value)}`);
    lines.push('');
  }
  return lines.join('\n');
}

function asJson(sections: readonly PolicySection[]): string {
  const entries = sections.map(({ name, settings }) => [name.toLowerCase(), Object.fromEntries(sorted(settings))]);
  return JSON.stringify(Object.fromEntries(entries), null, 2);
}

function sorted(settings: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1));
}
