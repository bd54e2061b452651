/** `gopher-mcp completion SHELL`: prints what makes a shell complete the commands. */
import { quote } from '../common/text/quote.js';
import { EXIT, type Command, type RunnableCommand } from './command.js';
import { completionScript, SHELLS } from './completion-scripts.js';

/** See the file's header; `commands` are loaded when a script is wanted. */
export function completionCommand(commands: () => Promise<readonly Command[]>): RunnableCommand {
  return {
    name: 'completion',
    summary: 'print the completion script of a shell',
    details: `To use it in the running shell:
  bash   source <(gopher-mcp completion bash)
  zsh    source <(gopher-mcp completion zsh)
  fish   gopher-mcp completion fish | source`,
    operands: [{ name: SHELLS.join('|') }],
    options: {},
    async run({ stdout, stderr }, args) {
      const word = args.operand(0);
      const shell = SHELLS.find((name) => name === word);
      if (shell === undefined) {
        stderr.write(`gopher-mcp: error: the shell must be one of ${SHELLS.join(', ')}, got ${quote(word)}\n`);
        return EXIT.usage;
      }
      stdout.write(completionScript(shell, await commands()));
      return EXIT.ok;
    },
  };
}
