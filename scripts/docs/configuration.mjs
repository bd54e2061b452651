/** docs/configuration.md: every variable and flag, from the classes in src/config/ and the table in src/bin/arguments.ts. */
export const target = 'docs/configuration.md';

export async function render(load) {
  const { referenceSections } = await load('src/config/describe-config.ts');
  const { FLAGS } = await load('src/bin/arguments.ts');
  const [gopher, gemini, server, transport, ...others] = referenceSections();
  const twins = new Map(gemini.settings.map((setting) => [setting.suffix, setting]));
  const isShared = ({ suffix, description }) => twins.get(suffix)?.description === description;
  const shared = gopher.settings.filter(isShared).map((setting) => [setting, twins.get(setting.suffix)]);
  const own = ({ settings }) =>
    settings.filter((setting) => !shared.flat().includes(setting)).map((setting) => [setting]);

  return `<!-- Generated from src/config/ and src/bin/arguments.ts by "npm run docs". -->

# Configuration

Settings are read once, at start. A flag goes before an environment variable, a variable before the \`.env\` file in the working
directory, that before the default. Names of variables are case-insensitive; a \`.env\` file is UTF-8, and names in it that are not
ours are left alone. \`gopher-mcp --check\` validates everything and exits; \`gopher-mcp --print-config\` prints the settings in effect in
the form of a \`.env\` file. Ready-made files for three ways to run are in [config/](../config/).

## Both protocols

${settingTable(shared)}

## Gopher

${settingTable(own(gopher))}

## Gemini

${settingTable(own(gemini))}

## Server

${settingTable(own(server))}

## Transport

The flags below go before these variables.

${settingTable(own(transport))}

${others.map((section) => `## ${section.title}\n\n${settingTable(own(section))}\n\n`).join('')}## Command line

| flag | meaning |
| --- | --- |
${FLAGS.map(flagRow).join('\n')}

## How values are written

| type | accepted |
| --- | --- |
| boolean | \`1 true t yes y on\` and \`0 false f no n off\`, in any case |
| integer | decimal digits; \`1_000\` and \`300.0\` are fine, \`1.5\` and \`1e2\` are not |
| number | decimal digits with a point or an exponent; neither \`nan\` nor \`inf\` |
| list | entries separated by commas, or a JSON array; blanks around entries and empty entries are dropped |
| path | taken as it stands |

A blank value leaves the default in place. Lists that restrict something (hosts, ports, networks, tools) are stricter: only the empty
value means "unset", and a list without a single entry stops the start, so that a restriction cannot vanish by mistake.

## Secrets

A setting that is marked as a secret can be given in a file instead: the variable with \`_FILE\` at its end names the file, as Docker and
Kubernetes mount it, and the text of the file is the value, less one line feed at its end. To give both stops the start, and so does a
file that cannot be read or is empty. A secret is shown nowhere: not by \`--print-config\`, not in a problem, a log line or the policy
resource.

## When something is wrong

The server does not start with a setting that it cannot use. It exits with status 2 and writes one line for every problem to stderr:

\`\`\`
gopher-mcp: configuration error: GOPHER_CACHE_TTL_SECONDS: must be an integer from 0 to 86400, got "5m"
\`\`\`

What is valid but questionable is logged at start: names that start like ours and are none (with the nearest name of ours), listed
ports that stay closed, an endpoint that other machines can reach without authentication, and the use of a \`.env\` file. Variables
that Kubernetes sets for a service called \`gopher-mcp\` (\`GOPHER_MCP_SERVICE_HOST\`, \`GOPHER_MCP_PORT=tcp://...\`) are left alone.

## Where pins and identities are kept

Without a path of your own, in the data directory: \`gopher-mcp\` below \`XDG_DATA_HOME\` when that is an absolute path, else

| system | data directory |
| --- | --- |
| Linux and other Unix | \`~/.local/share/gopher-mcp\` |
| macOS | \`~/Library/Application Support/gopher-mcp\` |
| Windows | \`%LOCALAPPDATA%\\gopher-mcp\`, else \`%APPDATA%\\gopher-mcp\` |

A \`tofu.json\` or \`certs\` that is already in \`~/.gemini\` is used there. Nothing is moved.
`;
}

/** One row for each group of variables that share a meaning. */
function settingTable(groups) {
  const rows = groups.map((group) => {
    const [{ summary, defaultText, description, secret }] = group;
    const names = group
      .flatMap(variablesOf)
      .map((name) => `\`${name}\``)
      .join('<br>');
    const kind = secret ? `${summary}; secret` : summary;
    return `| ${names} | ${cell(kind)} | ${defaultCell(defaultText)} | ${cell(description)} |`;
  });
  return ['| variable | type | default | effect |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

/** A secret can be given in a file too. */
function variablesOf({ variable, fileVariable }) {
  return fileVariable === null ? [variable] : [variable, fileVariable];
}

function defaultCell(text) {
  if (text === null) return 'unset';
  return text === '' ? 'empty' : `\`${text}\``;
}

function flagRow({ name, short, value, description }) {
  const flag = [short && `\`-${short}\``, `\`--${name}${value ? ` ${value}` : ''}\``].filter(Boolean).join(', ');
  return `| ${flag.replaceAll('|', '\\|')} | ${cell(description)} |`;
}

function cell(text) {
  return text.replaceAll('|', '\\|');
}
