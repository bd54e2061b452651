/**
 * docs/tools.md: every tool, resource template and prompt from their tables in src/mcp/, below a head that is written here. The
 * sizes in the head were measured; measure them again when a renderer changes.
 */
export const target = 'docs/tools.md';

export async function render(load) {
  const { TOOL_TABLE } = await load('src/mcp/tool-table.ts');
  const { TEMPLATE_TABLE } = await load('src/mcp/template-table.ts');
  const { uriTemplateOf } = await load('src/mcp/resources/page-template.ts');
  const { PROMPTS } = await load('src/mcp/prompts/prompts.ts');
  const templates = TEMPLATE_TABLE.map((template) => `| \`${uriTemplateOf(template)}\` | \`${template.tool}\` |`);
  const prompts = PROMPTS.map(
    (prompt) => `| \`${prompt.name}\` | ${promptArguments(prompt)} | ${prompt.description} |`,
  );

  return `<!-- Generated from src/mcp/ and scripts/docs/tools.mjs by "npm run docs". -->

# Tools

${HEAD}
## Resources

\`gopher-mcp://policy\` tells under which rules the server reads, as text and as JSON. Templates give pages as resources:

| template | reads as |
| --- | --- |
${templates.join('\n')}

A page is read through the pipeline of its tool, so its guards, cache and pacing hold. It comes as plain text in the form \`text\`, with
the other members of the result in \`_meta\` under \`gopher-mcp/page\`. A page that is longer than one window is cut, and its last line says
which tool and offset read the rest. What is no text (a binary, a question, a redirect, a demand for a certificate) is its result as
JSON. A failure is a JSON-RPC error whose \`data\` holds our code, never text that could be taken for a page. A template whose tool is
not served is not there.

## Prompts

| prompt | arguments | does |
| --- | --- | --- |
${prompts.join('\n')}

${PROTOCOL}
## Reference

${TOOL_TABLE.map(section).join('\n')}`;
}

const HEAD = `## Result

Each result comes twice: as \`structuredContent\`, compact, and as one text block with the same members, indented. A client may show the
model either. A batch tool gives \`{ "result": [...] }\` and one text block an item, in the order of its URLs.

Branch on \`kind\`. \`kind: "error"\` comes with \`isError: true\` and holds \`error.code\`, \`error.message\` and, where there is one,
\`error.next_step\`; see [errors.md](errors.md). A batch is not an error as a whole when some of its items are. \`request_info\` closes
every result: what was asked, when, and the facts of the connection. The query of a gemini URL and user names are never in it.

An argument that does not fit, or that the tool does not have, is an \`INVALID_REQUEST\` result that names it. Numbers and booleans may
come as text. An unknown tool is the JSON-RPC error -32602.

## Continuation

A page that does not fit in one result comes in windows. \`truncated: true\` says that there is more, and \`next_offset\` is the \`offset\` of
the next call. What is fetched once is kept for the windows that follow, if the cache is on.

| page | offset counts | bounded by |
| --- | --- | --- |
| Gopher menu | items | \`GOPHER_MAX_MENU_ITEMS\`, \`GOPHER_MCP_MAX_RESULT_BYTES\` |
| Gopher text, and a menu as \`text\` or \`outline\` | characters of the form itself | \`GOPHER_MAX_RENDERED_CHARS\`, \`GOPHER_MCP_MAX_RESULT_BYTES\` |
| Gemini page or text | characters of the page, whatever the form | \`GEMINI_MAX_RENDERED_CHARS\`, \`GOPHER_MCP_MAX_RESULT_BYTES\` |

Characters are Unicode code points. Gemtext is cut between lines; \`partial_line: true\` marks a line that is longer than a window.
\`incomplete: true\` is something else: the server sent less than all of it, for the reason in \`incomplete_reason\`.

\`cached: true\` marks a replay, with its age in \`cache_age_seconds\`; \`refresh\` asks the server again.

## Marks of untrusted content

Results that carry a server's words have \`untrusted: true\` and \`source_host\`, inside the structured content too, since some clients show
nothing else. Control characters, escape sequences and invisible characters are removed. A server's words stand only in the members
made for them (\`items\`, \`text\`, \`content\`, \`document\`, \`prompt\`, \`message\`, \`error.meta\`); messages and next steps are ours.

## Format

\`format\` of the single fetch tools says how much of a page is returned.

| format | Gopher menu | Gopher text | gemtext |
| --- | --- | --- | --- |
| \`full\` | all items with their fields | the text | lines with their parts, and the list of links |
| \`text\` | lines, links numbered, their URL behind them | the text; HTML (type h) without tags | lines, links numbered and listed below |
| \`links\` | the items that our tools can fetch | the lines that hold a URL | the list of links |
| \`outline\` | the links below the line that introduces them | headings with their offsets | headings with their offsets, and the number of links |

Other Gemini text has one form. Sizes, in bytes:

| page | body | \`full\` | \`text\` | \`links\` | \`outline\` |
| --- | --- | --- | --- | --- | --- |
| Gopher menu of 500 items, every tenth of them text | 38,455 | 95,633 | 45,372 | 89,783 | 43,680 |
| gemtext of entries with a heading, two paragraphs and three links each | 10,149 | 34,876 | 13,146 | 7,423 | 2,843 |
| Gopher text with a heading for each 2 KB and a URL for each 4 KB | 40,095 | 40,701 | 40,701 | 648 | 507 |

Measured once: made-up pages, rendered by \`renderWindow\` of each protocol with room for the whole page, as the UTF-8 bytes of the
window's compact JSON. The marks, the cache members and \`request_info\` add some 300 to 600 bytes to each result.
`;

const PROTOCOL = `## Completions

The URL argument of a prompt and the variable of a template are completed from the pages that the same caller has fetched, the newest
first, at most 100 at a time. What was typed may stand anywhere in the URL. Up to 200 pages of a caller are remembered, without their
queries, for as long as its connection or session lasts. The stateless revision remembers nobody, so it completes nothing.

## Progress, cancellation, questions

A batch tells its progress when the caller sent a progress token. A cancelled call, or a connection that closes, ends waits and
sockets. Before a pin or an identity is changed, a client that can show a form is asked to have its user confirm; anything but a
clear yes means no. In 2026-07-28 the question is the answer to the call, which the client then repeats with what the user said.

## Logging

A client that sets a level (\`logging/setLevel\`, or \`_meta\` of a request in 2026-07-28) is told of its own fetches by the logger
\`fetch\`: \`debug\` for a success, \`info\` for a failure, \`warning\` when something of this server is not available, \`error\` for a fault of
ours. Messages hold the URL without its query, the outcome and the time taken, never what a page says.

## Narrowing

\`GOPHER_MCP_TOOLS\` and \`GOPHER_MCP_READ_ONLY\` say which tools are listed and can be called. Over HTTP each request may narrow further:

| header | effect |
| --- | --- |
| \`GopherMcp-Tools: gopher_fetch, gemini_fetch\` | only these tools |
| \`GopherMcp-Read-Only: true\` | only tools that change nothing; any value but \`false\`, \`0\`, \`no\` or \`off\` does that |

Headers leave tools out and never bring one in. A tool that is left out is unknown, and so is the template that reads the same pages.
A name that is no tool allows nothing.

## Transports and revisions

| transport | endpoint | revisions |
| --- | --- | --- |
| \`stdio\` | standard input and output, one JSON-RPC message a line | all |
| \`streamable-http\` | \`POST /mcp\`, \`DELETE /mcp\` | all |
| \`sse\` | \`GET /sse\`, \`POST /messages/\` | all but 2026-07-28 |

Served are 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25 and 2026-07-28, which has no handshake and no sessions. JSON-RPC batches of up
to 100 messages are taken over \`streamable-http\`, unless the request names a later revision than 2025-03-26. Sessions are capped and expire
(\`GOPHER_MCP_MAX_SESSIONS\`, \`GOPHER_MCP_SESSION_TTL_SECONDS\`). A Host that is not served is answered with 421, an Origin that is not
allowed with 403.
`;

function section({ name, title, description, annotations, inputSchema, outputSchema }) {
  return `### \`${name}\`

${title}. Annotations: ${annotationList(annotations)}. Result: ${resultKinds(outputSchema)}.

${quoted(description)}

${argumentTable(inputSchema)}
`;
}

function annotationList(annotations) {
  return Object.entries(annotations)
    .map(([hint, value]) => `\`${hint}: ${value}\``)
    .join(', ');
}

/** The kinds of a tool's results; a batch has them in a list, and other tools say what is in a result without a kind. */
function resultKinds({ discriminator, properties }) {
  const kinds = discriminator ?? properties?.result?.items?.discriminator;
  const names = Object.keys(kinds.mapping).map((kind) => `\`${kind}\``);
  return `${discriminator ? '' : 'a list of '}${names.join(', ')}`;
}

/** As the model reads it: its own line breaks, nothing interpreted. */
function quoted(description) {
  return `\`\`\`text\n${description}\n\`\`\``;
}

function argumentTable({ properties, required = [] }) {
  const rows = Object.entries(properties).map(([name, schema]) => {
    const fallback = required.includes(name) ? 'required' : `\`${JSON.stringify(schema.default)}\``;
    return `| \`${name}\` | ${typeOf(schema)} | ${fallback} | ${cell(schema.description)} |`;
  });
  return ['| argument | type | default | description |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function typeOf({ type, enum: choices, items, minimum, anyOf }) {
  if (anyOf) return anyOf.map(typeOf).join(' or ');
  if (choices) return choices.map((choice) => `\`${choice}\``).join(', ');
  if (items) return `list of ${items.type}`;
  return minimum === undefined ? type : `${type}, at least ${minimum}`;
}

function promptArguments(prompt) {
  return prompt.arguments.map(({ name, required }) => (required ? `\`${name}\`` : `\`${name}\` (optional)`)).join(', ');
}

function cell(text) {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
