/**
 * `npm run bundle:desktop`: the bundle that a person opens in a desktop client (MCPB). Makes build/desktop/ from dist/ and a manifest
 * that is drawn from package.json, the tool table and the settings, and packs it with the official tool into
 * build/gopher-mcp-<version>.mcpb.
 *
 * @see https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ensureBuilt } from './bundle.mjs';
import { loadSource } from './load-source.mjs';

const root = path.resolve(import.meta.dirname, '..');
const folder = path.join(root, 'build', 'desktop');

/** The settings that the client's form shows, and what they are called there. */
const FORM = {
  GOPHER_ALLOWED_HOSTS: 'Only these Gopher hosts',
  GEMINI_ALLOWED_HOSTS: 'Only these Gemini hosts',
  GOPHER_RESPECT_ROBOTS_TXT: 'Follow robots.txt on Gopher',
  GEMINI_RESPECT_ROBOTS_TXT: 'Follow robots.txt on Gemini',
  GEMINI_CLIENT_CERTS_ENABLED: 'Allow client certificates',
  GOPHER_TIMEOUT_SECONDS: 'Time-out on Gopher',
  GEMINI_TIMEOUT_SECONDS: 'Time-out on Gemini',
  GOPHER_MCP_READ_ONLY: 'Only tools that change nothing',
  GOPHER_MCP_LOG_LEVEL: 'Log level',
};

const { name, version, description, license, author, keywords, engines } = JSON.parse(
  readFileSync(path.join(root, 'package.json'), 'utf8'),
);
const { TOOL_TABLE } = await loadSource('src/mcp/tool-table.ts');
const { referenceSections } = await loadSource('src/config/describe-config.ts');
const SETTINGS = new Map(referenceSections().flatMap(({ settings }) => settings.map((one) => [one.variable, one])));

await ensureBuilt(root);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
cpSync(path.join(root, 'dist'), path.join(folder, 'dist'), { recursive: true });
rmSync(path.join(folder, 'dist', 'inputs.sha256'), { force: true });
for (const file of ['LICENSE', 'README.md']) cpSync(path.join(root, file), path.join(folder, file));
writeFileSync(path.join(folder, 'manifest.json'), `${JSON.stringify(manifest(), null, 2)}\n`);

const archive = path.join(root, 'build', `${name}-${version}.mcpb`);
rmSync(archive, { force: true });
mcpb('validate', path.join(folder, 'manifest.json'));
mcpb('pack', folder, archive);
process.stdout.write(`${path.relative(root, archive)}\n`);

function manifest() {
  const fields = Object.entries(FORM).map(([variable, title]) => [variable, formField(variable, title)]);
  return {
    manifest_version: '0.3',
    name,
    display_name: 'Gopher and Gemini',
    version,
    description,
    author: { name: author },
    license,
    keywords,
    server: {
      type: 'node',
      entry_point: 'dist/main.js',
      mcp_config: {
        command: 'node',
        args: ['${__dirname}/dist/main.js'],
        env: Object.fromEntries(fields.map(([variable]) => [variable, `\${user_config.${variable.toLowerCase()}}`])),
      },
    },
    tools: TOOL_TABLE.map((tool) => ({ name: tool.name, description: tool.description })),
    user_config: Object.fromEntries(fields.map(([variable, field]) => [variable.toLowerCase(), field])),
    compatibility: {
      platforms: ['darwin', 'linux', 'win32'],
      runtimes: { node: engines.node.replace(/^\D*([\d.]+).*$/, '>=$1') },
    },
  };
}

/** A setting as a field of the form. */
function formField(variable, title) {
  const setting = SETTINGS.get(variable);
  if (setting === undefined) throw new Error(`there is no setting ${variable}`);
  const { summary, defaultText } = setting;
  const field = { type: 'string', title, description: `${setting.description} (${summary})`, required: false };
  if (defaultText === null) return field;
  if (defaultText === 'true' || defaultText === 'false')
    return { ...field, type: 'boolean', default: defaultText === 'true' };
  if (!/^(?:integer|number), /.test(summary)) return { ...field, default: defaultText };
  const [min, max] = summary.match(/\d+/g).map(Number);
  return { ...field, type: 'number', default: Number(defaultText), min, max };
}

function mcpb(...args) {
  const cli = path.join(root, 'node_modules', '@anthropic-ai', 'mcpb', 'dist', 'cli', 'cli.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`mcpb ${args[0]} failed: ${stdout}${stderr}`);
}
