import { EXIT_CODES, refuseMore, UsageError } from '../terminal/command.ts';
import type { Command } from '../terminal/command.ts';
import { writeCompletion } from '../target/shell-completion.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** `toolwright completion`. The commands are passed as a function, because this command is one of them. */
export function createCompletion(commands: () => readonly Command[]): Command {
  return {
    name: 'completion',
    summary: 'Print a shell completion script for commands and options',
    usage: [`<${SHELLS.join(' | ')}>`],
    flags: {},
    examples: [
      ['toolwright completion bash >> ~/.bashrc', 'for bash'],
      ['toolwright completion zsh > "${fpath[1]}/_toolwright"', 'for zsh'],
      ['toolwright completion fish > ~/.config/fish/completions/toolwright.fish', 'for fish'],
    ],
    run: async ({ terminal, positionals }) => {
      refuseMore(positionals, 1, '"toolwright completion" takes one shell.');
      const [shell] = positionals;
      const known = SHELLS.find((each) => each === shell);
      if (known === undefined)
        throw new UsageError(
          `${shell === undefined ? 'Missing shell.' : `Unknown shell "${shell}".`} Shells: ${SHELLS.join(', ')}.`,
        );
      terminal.out(writeCompletion(known, commands()));
      return EXIT_CODES.ok.code;
    },
  };
}
