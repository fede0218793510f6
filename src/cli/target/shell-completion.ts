import type { Command } from '../terminal/command.ts';
import { COMMON_FLAGS } from '../terminal/help.ts';

/** Generates the completion script of a shell. */
export function writeCompletion(shell: 'bash' | 'fish' | 'zsh', commands: readonly Command[]): string {
  return { bash, fish, zsh }[shell](commands);
}

const flagsOf = ({ flags }: Command): [string, string][] =>
  Object.entries({ ...flags, ...COMMON_FLAGS }).map(([name, { description }]) => [name, description]);

function bash(commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  const cases = commands.map(
    (command) =>
      `    ${command.name}) words="${flagsOf(command)
        .map(([name]) => `--${name}`)
        .join(' ')}" ;;`,
  );
  return [
    '_toolwright() {',
    '  local current="${COMP_WORDS[COMP_CWORD]}" words=""',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    COMPREPLY=($(compgen -W "${names} --help --version" -- "$current"))`,
    '    return',
    '  fi',
    '  case "${COMP_WORDS[1]}" in',
    ...cases,
    '  esac',
    '  case "$current" in',
    '    -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;',
    '    *) COMPREPLY=($(compgen -f -- "$current")) ;;',
    '  esac',
    '}',
    'complete -F _toolwright toolwright',
  ].join('\n');
}

/** Quotes for a shell, with single quotes. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function zsh(commands: readonly Command[]): string {
  const cases = commands.map((command) => {
    const flags = flagsOf(command).map(([name, description]) =>
      quote(`--${name}[${description.replaceAll(/[[\]:]/g, ' ')}]`),
    );
    return `    ${command.name}) _arguments ${flags.join(' ')} '*:file:_files' ;;`;
  });
  return [
    '#compdef toolwright',
    '_toolwright() {',
    '  if (( CURRENT == 2 )); then',
    '    local -a commands=(',
    ...commands.map(({ name, summary }) => `      ${quote(`${name}:${summary.replaceAll(':', ' ')}`)}`),
    '    )',
    "    _describe 'command' commands",
    '    return',
    '  fi',
    '  case "${words[2]}" in',
    ...cases,
    '  esac',
    '}',
    '_toolwright "$@"',
  ].join('\n');
}

function fish(commands: readonly Command[]): string {
  return [
    'complete -c toolwright -n __fish_use_subcommand -f',
    ...commands.map(
      ({ name, summary }) =>
        `complete -c toolwright -n __fish_use_subcommand -a ${name} -d ${quote(summary)}`,
    ),
    ...commands.flatMap((command) =>
      flagsOf(command).map(
        ([name, description]) =>
          `complete -c toolwright -n '__fish_seen_subcommand_from ${command.name}' -l ${name} -d ${quote(description)}`,
      ),
    ),
  ].join('\n');
}
