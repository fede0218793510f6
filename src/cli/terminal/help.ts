import { EXIT_CODES } from './command.ts';
import type { Command, Flag } from './command.ts';
import type { Paint } from './terminal.ts';

/** Flags that every command has. */
export const COMMON_FLAGS: Readonly<Record<string, Flag>> = {
  help: { type: 'boolean', short: 'h', description: 'Show this help' },
};

/** The help of the program. */
export function programHelp(commands: readonly Command[], paint: Paint): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    `${paint.bold('toolwright')}: serve tools, prompts and resources to AI agents, and try out servers`,
    '',
    paint.bold('Usage'),
    '  toolwright <command> [options]',
    '',
    paint.bold('Commands'),
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    paint.bold('Options'),
    '  -h, --help     Show the help of a command: toolwright call --help',
    '  -v, --version  Show the version',
    '',
    paint.bold('Examples'),
    ...examples(
      [
        ['toolwright serve', 'serve toolwright.config.* of this folder'],
        ['toolwright list http://127.0.0.1:3000/mcp', 'what a server has'],
        ['toolwright call add a=1 b=2 -- node server.js', 'start a server, call a tool, stop it'],
      ],
      paint,
    ),
    '',
    paint.bold('Exit codes'),
    ...Object.values(EXIT_CODES).map(({ code, when }) => `  ${code}  ${when}`),
  ].join('\n');
}

/** The help of a command. */
export function commandHelp(command: Command, paint: Paint): string {
  const flags = Object.entries({ ...command.flags, ...COMMON_FLAGS });
  const width = Math.max(...flags.map(([name, flag]) => formatFlag(name, flag).length));
  const groups = new Set(flags.map(([, flag]) => groupOf(flag)));
  return [
    `${paint.bold(`toolwright ${command.name}`)}: ${command.summary}`,
    '',
    paint.bold('Usage'),
    ...command.usage.map((usage) => `  toolwright ${command.name} ${usage}`.trimEnd()),
    ...(command.details === undefined ? [] : ['', command.details]),
    '',
    ...[...groups].flatMap((group) => [
      paint.bold(group),
      ...flags
        .filter(([, flag]) => groupOf(flag) === group)
        .map(([name, flag]) => `  ${formatFlag(name, flag).padEnd(width)}  ${flag.description}`),
      '',
    ]),
    paint.bold('Examples'),
    ...examples(command.examples, paint),
  ].join('\n');
}

function groupOf({ group = 'Options' }: Flag): string {
  return group;
}

/** `-p, --port <port>` */
export function formatFlag(name: string, { short, value, isMultiple }: Flag): string {
  const long = `--${name}${value === undefined ? '' : ` <${value}>`}${isMultiple === true ? ' …' : ''}`;
  return short === undefined ? `    ${long}` : `-${short}, ${long}`;
}

function examples(list: Command['examples'], paint: Paint): string[] {
  return list.flatMap(([line, what]) => [`  ${paint.dim(`# ${what}`)}`, `  ${line}`]);
}
