import { parseArgs } from 'node:util';
import { didYouMean } from '../errors/nearest-names.ts';
import { EXIT_CODES, UsageError } from './terminal/command.ts';
import type { Command, CommandCall, Flag } from './terminal/command.ts';
import { call } from './commands/call.ts';
import { createCompletion } from './commands/completion.ts';
import { describe } from './commands/describe.ts';
import { dev } from './commands/dev.ts';
import { doctor } from './commands/doctor.ts';
import { init } from './commands/init.ts';
import { list } from './commands/list.ts';
import { openapi } from './commands/openapi.ts';
import { prompt } from './commands/prompt.ts';
import { read } from './commands/read.ts';
import { schema } from './commands/schema.ts';
import { serve } from './commands/serve.ts';
import { worker } from './commands/worker.ts';
import { describeFailure } from './failures/describe-failure.ts';
import { COMMON_FLAGS, commandHelp, programHelp } from './terminal/help.ts';
import { harmless } from './terminal/terminal.ts';
import type { Terminal } from './terminal/terminal.ts';
import { VERSION } from './terminal/version.ts';

/** All commands, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  init,
  serve,
  worker,
  dev,
  openapi,
  list,
  describe,
  call,
  read,
  prompt,
  doctor,
  schema,
  createCompletion(() => COMMANDS),
];

/** Runs a command line and returns the exit code. */
export async function main(argv: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await run(argv, terminal);
  } catch (error) {
    return report(error, terminal, COMMANDS.find(({ name }) => name === argv[0])?.flags ?? {});
  }
}

async function run([name, ...rest]: readonly string[], terminal: Terminal): Promise<number> {
  if (name === '--version' || name === '-v') {
    terminal.out(VERSION);
    return EXIT_CODES.ok.code;
  }
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    const [about] = name === 'help' ? rest : [];
    terminal.out(about === undefined ? programHelp(COMMANDS, terminal) : commandHelp(find(about), terminal));
    return name === undefined ? EXIT_CODES.usage.code : EXIT_CODES.ok.code;
  }
  const command = find(name);
  const parsed = parse(command, rest);
  if (parsed.flags['help'] === true) {
    terminal.out(commandHelp(command, terminal));
    return EXIT_CODES.ok.code;
  }
  return command.run({ ...parsed, terminal });
}

function find(name: string): Command {
  const command = COMMANDS.find((each) => each.name === name);
  if (command !== undefined) return command;
  const names = COMMANDS.map((each) => each.name);
  throw new UsageError(`Unknown command "${name}".${didYouMean(name, names)} Commands: ${names.join(', ')}.`);
}

function parse(command: Command, argv: readonly string[]): Omit<CommandCall, 'terminal'> {
  const flags = { ...command.flags, ...COMMON_FLAGS };
  const separator = argv.indexOf('--');
  const own = separator === -1 ? argv : argv.slice(0, separator);
  const started = separator === -1 ? undefined : argv.slice(separator + 1);
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { type, short, isMultiple = false }]) => [
      name,
      { type, multiple: isMultiple, ...(short === undefined ? {} : { short }) },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({ args: [...own], options, allowPositionals: true });
    if (started !== undefined && values['help'] !== true) assertCommand(started, command);
    return { flags: values as CommandCall['flags'], positionals, command: started ?? [] };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(explain(error as NodeJS.ErrnoException, command, flags));
  }
}

function assertCommand(started: readonly string[], { name, takesCommand = false }: Command): void {
  if (!takesCommand)
    throw new UsageError(
      `Unexpected "--": "toolwright ${name}" does not start a command. See toolwright ${name} --help.`,
    );
  if (started.length === 0)
    throw new UsageError('Missing command after "--". Write one that starts a server: -- node server.js');
}

/** Replaces the messages of Node's parser, which are written for programmers. */
function explain(
  { code, message }: NodeJS.ErrnoException,
  { name }: Command,
  flags: Readonly<Record<string, Flag>>,
): string {
  const more = `See toolwright ${name} --help.`;
  const given = /'(-{1,2}[^' ]+)/.exec(message)?.[1] ?? '';
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION')
    return `Unknown option "${given}".${didYouMean(
      given,
      Object.keys(flags).map((flag) => `--${flag}`),
    )} ${more}`;
  const long = /--([\w-]+)/.exec(message)?.[1] ?? '';
  const type = Object.hasOwn(flags, long) ? flags[long]?.type : undefined;
  if (type === undefined) return `${message.split('\n')[0] ?? message} ${more}`;
  return type === 'boolean' ? `--${long} takes no value. ${more}` : `--${long} requires a value. ${more}`;
}

function report(error: unknown, terminal: Terminal, flags: Command['flags']): number {
  const { message, code } = describeFailure(error, flags);
  terminal.err(`${terminal.paintErr.red('error')} ${harmless(message)}`);
  return code;
}
