import { EXIT_CODES } from '../terminal/command.ts';
import type { Command, CommandCall } from '../terminal/command.ts';
import type { RpcClient } from '../../client/rpc-client.ts';
import { formatTable } from '../terminal/table.ts';
import { connectTarget, disconnect, TARGET_FLAGS, TARGET_HELP } from '../target/target.ts';
import { formatJson, oneLine } from '../terminal/terminal.ts';

type Entry = Readonly<Record<string, unknown>>;

/** One list that a server offers. */
interface Kind {
  readonly flag: string;
  readonly capability: string;
  readonly method: string;
  readonly member: string;
  readonly title: string;
  readonly row: (entry: Entry) => readonly string[];
}

const KINDS: readonly Kind[] = [
  {
    flag: 'tools',
    capability: 'tools',
    method: 'tools/list',
    member: 'tools',
    title: 'Tools',
    row: (tool) => [textOf(tool, 'name'), argumentsOf(tool), textOf(tool, 'description')],
  },
  {
    flag: 'prompts',
    capability: 'prompts',
    method: 'prompts/list',
    member: 'prompts',
    title: 'Prompts',
    row: (prompt) => [textOf(prompt, 'name'), promptArgumentsOf(prompt), textOf(prompt, 'description')],
  },
  {
    flag: 'resources',
    capability: 'resources',
    method: 'resources/list',
    member: 'resources',
    title: 'Resources',
    row: (resource) => [textOf(resource, 'uri'), textOf(resource, 'name'), textOf(resource, 'description')],
  },
  {
    flag: 'resources',
    capability: 'resources',
    method: 'resources/templates/list',
    member: 'resourceTemplates',
    title: 'Resource templates',
    row: (template) => [
      textOf(template, 'uriTemplate'),
      textOf(template, 'name'),
      textOf(template, 'description'),
    ],
  },
];

/** `toolwright list` */
export const list: Command = {
  name: 'list',
  summary: 'List the tools, prompts and resources of a server',
  usage: ['[target] [options]', '[options] -- <command>'],
  details: TARGET_HELP,
  takesCommand: true,
  flags: {
    tools: { type: 'boolean', description: 'Only tools' },
    prompts: { type: 'boolean', description: 'Only prompts' },
    resources: { type: 'boolean', description: 'Only resources and resource templates' },
    ...TARGET_FLAGS,
  },
  examples: [
    ['toolwright list', 'list everything in the configuration of this folder'],
    ['toolwright list http://127.0.0.1:3000/mcp --tools', 'list only the tools of a running server'],
    ['toolwright list --json -- node server.js', 'start a server and print its lists as JSON'],
  ],
  run: async (call) => {
    const { client } = await connectTarget(call, { maxWords: 0 });
    try {
      return await show(client, call);
    } finally {
      await disconnect(client);
    }
  },
};

async function show(client: RpcClient, { flags, terminal }: CommandCall): Promise<number> {
  const asked = KINDS.filter(({ flag }) => flags[flag] === true);
  const kinds = (asked.length > 0 ? asked : KINDS).filter(
    ({ capability }) => client.self.capabilities[capability] !== undefined,
  );
  const lists = new Map<Kind, readonly Entry[]>();
  for (const kind of kinds) lists.set(kind, await client.listAll(kind.method, kind.member));
  const { name, version, protocolVersion, instructions } = client.self;
  if (flags['json'] === true) {
    const found = Object.fromEntries([...lists].map(([{ member }, entries]) => [member, entries]));
    terminal.out(formatJson({ server: { name, version, protocolVersion, instructions }, ...found }));
    return EXIT_CODES.ok.code;
  }
  const { bold, dim } = terminal.paintOut;
  terminal.out(`${bold(oneLine(name))} ${oneLine(version)} ${dim(`(protocol ${oneLine(protocolVersion)})`)}`);
  for (const [{ title, row }, entries] of lists) {
    if (entries.length === 0) continue;
    terminal.out(`\n${bold(title)} ${dim(String(entries.length))}`);
    for (const line of formatTable(entries.map(row), terminal.columns)) terminal.out(line);
  }
  if ([...lists.values()].every((entries) => entries.length === 0))
    terminal.out('\nThe server lists nothing.');
  return EXIT_CODES.ok.code;
}

/** The first line of a member. */
function textOf(entry: Entry, key: string): string {
  const value = entry[key];
  return typeof value === 'string' ? oneLine(value.trim().split('\n')[0]) : '';
}

/** `id, title?` */
function argumentsOf({ inputSchema }: Entry): string {
  const { properties, required } = (inputSchema ?? {}) as Entry;
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.keys(properties ?? {})
    .map((name) => oneLine(needed.includes(name) ? name : `${name}?`))
    .join(', ');
}

function promptArgumentsOf({ arguments: list }: Entry): string {
  const entries: readonly unknown[] = Array.isArray(list) ? list : [];
  return entries
    .map((entry) => {
      const { name, required } = (entry ?? {}) as Entry;
      return required === true ? oneLine(name) : `${oneLine(name)}?`;
    })
    .join(', ');
}
