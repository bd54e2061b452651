/** Completion scripts of shells, made from the commands. Only names and texts of our own tables stand in them. */
import type { CommandOptions } from './command-syntax.js';
import { isGroup, type Command } from './command.js';

/** The shells that are known. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** One of {@link SHELLS}. */
export type Shell = (typeof SHELLS)[number];

/** The script for `shell`. */
export function completionScript(shell: Shell, commands: readonly Command[]): string {
  switch (shell) {
    case 'bash':
      return bashScript(commands);
    case 'zsh':
      return zshScript(commands);
    case 'fish':
      return fishScript(commands);
  }
}

/** A place on the command line: the words before it, and what can follow. */
interface Place {
  /** `fetch` or `trust list`. */
  readonly path: string;
  readonly options: CommandOptions;
}

function placesOf(commands: readonly Command[]): Place[] {
  return commands.flatMap((command) =>
    isGroup(command)
      ? command.commands.map(({ name, options }) => ({ path: `${command.name} ${name}`, options }))
      : [{ path: command.name, options: command.options }],
  );
}

function bashScript(commands: readonly Command[]): string {
  const groups = commands.filter(isGroup);
  const places = placesOf(commands);
  const values = places.flatMap(({ path, options }) =>
    Object.entries(options)
      .filter(([, { type }]) => type === 'string')
      .map(([name, { choices = [] }]) => `    '${path} --${name}') words='${choices.join(' ')}' ;;\n`),
  );
  const options = places.map(({ path, options: own }) => `    '${path}') words='${optionWords(own).join(' ')}' ;;\n`);
  return `# bash completion of gopher-mcp; load it with: source <(gopher-mcp completion bash)
_gopher_mcp() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  local path=\${COMP_WORDS[1]} depth=1 words=
  COMPREPLY=()
  case $path in
    ${groups.map(({ name }) => name).join('|') || "''"}) depth=2; path="$path \${COMP_WORDS[2]}" ;;
  esac
  if ((COMP_CWORD == 1)); then
    words='${[...commands.map(({ name }) => name), '--help', '--version'].join(' ')}'
  elif ((COMP_CWORD <= depth)); then
    case \${COMP_WORDS[1]} in
${groups.map(({ name, commands: below }) => `      ${name}) words='${[...below.map((one) => one.name), '--help'].join(' ')}' ;;\n`).join('')}    esac
  else
    case "$path $previous" in
${indented(values)}      *)
        case $path in
${indented(indented(options).split(/(?<=\n)/))}        esac ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _gopher_mcp gopher-mcp
`;
}

function zshScript(commands: readonly Command[]): string {
  const rows = (list: readonly { name: string; summary: string }[]): string =>
    list.map(({ name, summary }) => `'${name}:${escapedForZsh(summary)}'`).join(' ');
  const groups = commands.filter(isGroup);
  const cases = placesOf(commands).map(({ path, options }) => {
    const specs = Object.entries(options).map(([name, { type, choices, description }]) => {
      const value = type === 'boolean' ? '' : `:value:${choices === undefined ? '' : `(${choices.join(' ')})`}`;
      return `'--${name}[${escapedForZsh(description)}]${value}'`;
    });
    return `    '${path}') _arguments ${[...specs, `'--help[print the help and exit]'`, `'*: :'`].join(' ')} ;;\n`;
  });
  return `#compdef gopher-mcp
# zsh completion of gopher-mcp; load it with: source <(gopher-mcp completion zsh)
_gopher_mcp() {
  local -a rows
  local place=$words[2] depth=1
  case $place in
    ${groups.map(({ name }) => name).join('|') || "''"}) depth=2; place="$place $words[3]" ;;
  esac
  if ((CURRENT == 2)); then
    rows=(${rows(commands)})
    _describe command rows
    return
  fi
  if ((CURRENT == 3 && depth == 2)); then
    case $words[2] in
${groups.map(({ name, commands: below }) => `      ${name}) rows=(${rows(below)}) ;;\n`).join('')}    esac
    _describe command rows
    return
  fi
  shift depth words
  ((CURRENT -= depth))
  case $place in
${cases.join('')}  esac
}
compdef _gopher_mcp gopher-mcp
`;
}

function fishScript(commands: readonly Command[]): string {
  const lines = ['complete -c gopher-mcp -f'];
  for (const command of commands) {
    const { name, summary } = command;
    lines.push(`complete -c gopher-mcp -n __fish_use_subcommand -a ${name} -d '${escapedForFish(summary)}'`);
    if (!isGroup(command)) continue;
    const names = command.commands.map((below) => below.name).join(' ');
    for (const below of command.commands) {
      const condition = `__fish_seen_subcommand_from ${name}; and not __fish_seen_subcommand_from ${names}`;
      lines.push(`complete -c gopher-mcp -n '${condition}' -a ${below.name} -d '${escapedForFish(below.summary)}'`);
    }
  }
  for (const { path, options } of placesOf(commands)) {
    const condition = path
      .split(' ')
      .map((word) => `__fish_seen_subcommand_from ${word}`)
      .join('; and ');
    for (const [name, { type, short, choices, description }] of Object.entries(options)) {
      const parts = [`complete -c gopher-mcp -n '${condition}' -l ${name}`];
      if (short !== undefined) parts.push(`-s ${short}`);
      if (type === 'string') parts.push('-x');
      if (choices !== undefined) parts.push(`-a '${choices.join(' ')}'`);
      lines.push(`${parts.join(' ')} -d '${escapedForFish(description)}'`);
    }
  }
  return `# fish completion of gopher-mcp; load it with: gopher-mcp completion fish | source\n${lines.join('\n')}\n`;
}

function optionWords(options: CommandOptions): string[] {
  return [...Object.keys(options).map((name) => `--${name}`), '--help'];
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join('');
}

/** Inside single quotes, in a specification where `:` and brackets have a meaning. */
function escapedForZsh(text: string): string {
  return text.replace(/[\\:[\]]/g, String.raw`\$&`).replaceAll("'", `'\\''`);
}

function escapedForFish(text: string): string {
  return text.replace(/['\\]/g, String.raw`\$&`);
}
