import { isObject } from '../../base/is-object.ts';
import { findTool } from '../target/find-tool.ts';
import type { ListedTool } from '../target/find-tool.ts';
import { connectTarget, disconnect, TARGET_FLAGS, TARGET_HELP } from '../target/target.ts';
import { quote } from '../../transport/client-snippets.ts';
import { EXIT_CODES, UsageError } from '../terminal/command.ts';
import type { Command, CommandCall } from '../terminal/command.ts';
import { fieldRows, typeOf } from '../terminal/schema-fields.ts';
import { formatTable } from '../terminal/table.ts';
import { writeSign } from '../terminal/values.ts';
import { formatJson, harmless, oneLine } from '../terminal/terminal.ts';

/** `toolwright describe` */
export const describe: Command = {
  name: 'describe',
  summary: 'Show the description, the arguments and the result of a tool, and how to call it',
  usage: ['[target] <tool> [options]', '<tool> [options] -- <command>'],
  details: TARGET_HELP,
  takesCommand: true,
  flags: TARGET_FLAGS,
  examples: [
    ['toolwright describe add', 'describe a tool of the configuration in this folder'],
    ['toolwright describe localhost:3000/mcp add --json', 'print the whole definition of a tool as JSON'],
  ],
  run: async (call) => {
    const { client, rest } = await connectTarget(call, { maxWords: 1 });
    try {
      const { name, tool } = await findTool(client, rest[0]);
      if (tool === undefined) throw new UsageError(`Unknown tool "${name}". The server lists no tools.`);
      const { terminal, flags } = call;
      if (flags['json'] === true) terminal.out(formatJson(tool));
      else for (const line of linesOf(name, tool, call)) terminal.out(line);
      return EXIT_CODES.ok.code;
    } finally {
      await disconnect(client);
    }
  },
};

function linesOf(name: string, tool: ListedTool, call: CommandCall): string[] {
  const { paintOut, columns } = call.terminal;
  const { bold, dim } = paintOut;
  const { title, description, inputSchema, outputSchema } = tool;
  const section = (heading: string, schema: unknown, none: string): string[] => {
    const rows = fieldRows(schema);
    return ['', bold(heading), ...(rows.length === 0 ? [dim(`  ${none}`)] : formatTable(rows, columns))];
  };
  const hints = hintsOf(tool['annotations']);
  return [
    `${bold(oneLine(name))}${typeof title === 'string' ? ` ${dim(oneLine(title))}` : ''}`,
    ...(typeof description === 'string' ? [harmless(description.trim())] : []),
    ...(hints === '' ? [] : [dim(hints)]),
    ...section('Arguments', inputSchema, 'none'),
    ...(outputSchema === undefined ? [] : section('Structured content', outputSchema, 'any')),
    '',
    bold('Call it'),
    `  ${callLine(name, inputSchema, call)}`,
  ];
}

const HINTS: Readonly<Record<string, string>> = {
  readOnlyHint: 'read-only',
  destructiveHint: 'destructive',
  idempotentHint: 'idempotent',
  openWorldHint: 'open world',
};

function hintsOf(annotations: unknown): string {
  const given = (annotations ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries(HINTS)
    .filter(([hint]) => given[hint] === true)
    .map(([, word]) => word)
    .join(', ');
}

/** A command line with a placeholder for every required argument. */
function callLine(name: string, inputSchema: unknown, { positionals, command }: CommandCall): string {
  const schema = isObject(inputSchema) ? inputSchema : {};
  const { properties, required } = schema;
  const needed = (Array.isArray(required) ? required : []).filter((each) => typeof each === 'string');
  const args = needed.map((each) => {
    const member = isObject(properties) ? properties[each] : undefined;
    return quote(
      oneLine(`${each}${writeSign(schema, each)}<${typeOf(isObject(member) ? member : {}, schema)}>`),
    );
  });
  const target = positionals.slice(0, -1).map(quote);
  const started = command.length === 0 ? [] : ['--', ...command.map(quote)];
  return ['toolwright call', ...target, quote(oneLine(name)), ...args, ...started].join(' ');
}
