/** docs/cli.md: every command from the table in src/cli/command-table.ts, below a head that is written here. */
export const target = 'docs/cli.md';

export async function render(load) {
  const { allCommands } = await load('src/cli/command-table.ts');
  const { syntaxOf, optionRows } = await load('src/cli/help.ts');
  const { isGroup } = await load('src/cli/command.ts');
  const commands = await allCommands();
  const list = commands.map(({ name, summary }) => `| [\`${name}\`](#${name}) | ${summary} |`);

  return `<!-- Generated from src/cli/ and scripts/docs/cli.mjs by "npm run docs". -->

# Commands

${HEAD}
| command | what it does |
| --- | --- |
${list.join('\n')}

${commands
  .map((command) => section(command, { isGroup, syntaxOf, optionRows }))
  .join('\n')
  .trimEnd()}
`;
}

function section(command, { isGroup, syntaxOf, optionRows }) {
  const parts = [`## ${command.name}\n`, `${sentence(command.summary)}\n`];
  if (command.details !== undefined) parts.push(details(command.details));
  const runnable = isGroup(command) ? command.commands : [command];
  for (const one of runnable) {
    const name = isGroup(command) ? `${command.name} ${one.name}` : one.name;
    if (isGroup(command)) {
      parts.push(`### ${name}\n`, `${sentence(one.summary)}\n`);
      if (one.details !== undefined) parts.push(details(one.details));
    }
    parts.push(`\`gopher-mcp ${name} ${syntaxOf(one)}\`\n`);
    const options = optionRows(one).slice(0, -1);
    if (options.length === 0) continue;
    const rows = options.map(([option, text]) => `| \`${option.replaceAll('|', '\\|')}\` | ${cell(text)} |`);
    parts.push(`| option | what it does |\n| --- | --- |\n${rows.join('\n')}\n`);
  }
  return parts.join('\n');
}

/** Blocks of details: running text as it is, indented lines as an example. */
function details(text) {
  return text
    .trim()
    .split('\n\n')
    .map((block) => {
      const lines = block.split('\n');
      const first = lines.findIndex((line) => line.startsWith('  '));
      const prose = first === -1 ? lines : lines.slice(0, first);
      const example = first === -1 ? [] : lines.slice(first).map((line) => line.replace(/^ {2}/, ''));
      const parts = [];
      if (prose.length > 0) parts.push(`${cell(sentenceStart(prose.join('\n')))}\n`);
      if (example.length > 0) parts.push(`\`\`\`sh\n${example.join('\n')}\n\`\`\`\n`);
      return parts.join('\n');
    })
    .join('\n');
}

function sentence(text) {
  return `${cell(sentenceStart(text))}.`;
}

function sentenceStart(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Text of a table cell, or of a paragraph: what Markdown or HTML would take for syntax is escaped. */
function cell(text) {
  return text.replaceAll('|', '\\|').replaceAll('<', '\\<');
}

const HEAD = `Without a command \`gopher-mcp\` serves MCP. With one it does something for a person at a terminal, with the settings, the stores and the
rules of the server: a page that a model may not read is not read here either. Until the package is published, write
\`node /path/to/gopher-mcp/dist/main.js\` where \`gopher-mcp\` stands.

Results go to stdout, messages to stderr. Exit codes: 0 it is done, 1 it failed, 2 the command line or the settings are wrong. Colours are
shown on a terminal only; \`NO_COLOR\` turns them off. Nothing that a page says can move the cursor, set a title or hide text. Every command
has \`--help\`; those with \`--json\` print what a model gets.

## A tour without a network

\`\`\`sh
gopher-mcp demo
\`\`\`

serves a Gopher hole and a Gemini capsule on this machine. It prints their addresses, four settings that open them, and commands to try in
another terminal: menus with every item type, a search, a gemlog with its feeds, a question, a secret, a zone that wants a client
certificate, redirects, a slow page, a long page, and a page that tries to take the terminal over.

\`\`\`sh
gopher-mcp fetch gopher://127.0.0.1:7070/
gopher-mcp fetch gopher://127.0.0.1:7070/7/search --search menu
gopher-mcp fetch gemini://127.0.0.1:1966/ask
gopher-mcp identity create gemini://127.0.0.1:1966/members/
gopher-mcp fetch gemini://127.0.0.1:1966/members/
gopher-mcp trust list
\`\`\`

When something does not work, \`gopher-mcp doctor\` says what and what to do.

## All commands
`;
