import { EXIT_CODES } from './command.ts';
import type { Command, Flag } from './command.ts';
import type { Terminal } from './terminal.ts';
import { formatEntry, wrapText } from './wrap.ts';

/** The part of a terminal that help needs. */
type Screen = Pick<Terminal, 'columns' | 'paintOut'>;

/** Flags that every command has. */
export const COMMON_FLAGS: Readonly<Record<string, Flag>> = {
  help: { type: 'boolean', short: 'h', description: 'Show this help' },
};

/** The help of the program. */
export function programHelp(commands: readonly Command[], screen: Screen): string {
  const { paintOut: paint, columns } = screen;
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    wrapText(
      `${paint.bold('toolwright')}: serve tools, prompts and resources over MCP, and test any MCP server`,
      { columns, indent: 0 },
    ),
    '',
    paint.bold('Usage'),
    '  toolwright <command> [options]',
    '',
    paint.bold('Commands'),
    ...commands.map(({ name, summary }) => formatEntry([name, summary], width, columns)),
    '',
    paint.bold('Options'),
    formatEntry(['-h, --help', 'Show this help, or that of a command: toolwright call --help'], 13, columns),
    formatEntry(['-v, --version', 'Show the version'], 13, columns),
    '',
    paint.bold('Examples'),
    ...examples(
      [
        ['toolwright serve', 'serve toolwright.config.* in this folder'],
        [
          'toolwright list http://127.0.0.1:3000/mcp',
          'list the tools, prompts and resources of a running server',
        ],
        ['toolwright call add a=1 b=2 -- node server.js', 'start a server, call a tool, stop it'],
      ],
      screen,
    ),
    '',
    paint.bold('Exit codes'),
    ...Object.values(EXIT_CODES).map(({ code, when }) => formatEntry([String(code), when], 1, columns)),
  ].join('\n');
}

/** The help of a command. */
export function commandHelp(command: Command, screen: Screen): string {
  const { paintOut: paint, columns } = screen;
  const flags = Object.entries({ ...command.flags, ...COMMON_FLAGS });
  const width = Math.max(...flags.map(([name, flag]) => formatFlag(name, flag).length));
  const groups = new Set(flags.map(([, flag]) => groupOf(flag)));
  return [
    wrapText(`${paint.bold(`toolwright ${command.name}`)}: ${command.summary}`, { columns, indent: 0 }),
    '',
    paint.bold('Usage'),
    ...command.usage.map((usage) => `  toolwright ${command.name} ${usage}`.trimEnd()),
    ...(command.details === undefined ? [] : ['', wrapText(command.details, { columns, indent: 0 })]),
    '',
    ...[...groups].flatMap((group) => [
      paint.bold(group),
      ...flags
        .filter(([, flag]) => groupOf(flag) === group)
        .map(([name, flag]) => formatEntry([formatFlag(name, flag), flag.description], width, columns)),
      '',
    ]),
    paint.bold('Examples'),
    ...examples(command.examples, screen),
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

function examples(list: Command['examples'], { paintOut, columns }: Screen): string[] {
  return list.flatMap(([line, what]) => [
    `  ${paintOut.dim(wrapText(`# ${what}`, { columns, indent: 4 }))}`,
    `  ${line}`,
  ]);
}
