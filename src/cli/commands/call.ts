import type { RpcClient, RpcProgress } from '../../client/rpc-client.ts';
import { EXIT_CODES, textFlag } from '../terminal/command.ts';
import type { Command, CommandCall } from '../terminal/command.ts';
import { formatBlock } from '../terminal/content.ts';
import { findTool } from '../target/find-tool.ts';
import { connectTarget, disconnect, TARGET_FLAGS, TARGET_HELP } from '../target/target.ts';
import { formatJson, oneLine } from '../terminal/terminal.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { readJsonArgs, readPairs } from '../terminal/values.ts';

/** `toolwright call` */
export const call: Command = {
  name: 'call',
  summary: 'Call a tool and print what it answers',
  usage: ['[target] <tool> [name=value …] [options]', '<tool> [name=value …] [options] -- <command>'],
  details: `${TARGET_HELP}

Arguments are name=value. What the tool wants as a number, a boolean, a list or an object is read as JSON; name:=json
says so itself. --args takes all of them at once.`,
  takesCommand: true,
  flags: {
    args: {
      type: 'string',
      short: 'a',
      value: 'json',
      description: 'Arguments as JSON, @file, or - for standard input',
    },
    ...TARGET_FLAGS,
  },
  examples: [
    ['toolwright call add a=1 b=2', 'a tool of the server that is configured in this folder'],
    [
      'toolwright call http://127.0.0.1:3000/mcp add_note title=Milk tags:=\'["shop"]\'',
      'a tool of a server that runs',
    ],
    [
      'toolwright call add --args \'{"a": 1, "b": 2}\' --json -- node server.js',
      'the whole result, from a server that a command starts',
    ],
  ],
  run: async (given) => {
    const { client, rest } = await connectTarget(given);
    try {
      return await run(client, given, rest);
    } finally {
      await disconnect(client);
    }
  },
};

async function run(
  client: RpcClient,
  given: CommandCall,
  [word, ...pairs]: readonly string[],
): Promise<number> {
  const { terminal, flags } = given;
  const { name, tool } = await findTool(client, word);
  const args = {
    ...(await readJsonArgs(textFlag(given, 'args'), terminal)),
    ...readPairs(pairs, tool?.['inputSchema']),
  };
  const result = await ask(client, { name, arguments: args }, terminal);
  if (result['resultType'] === 'input_required') {
    terminal.err(
      `${terminal.paintErr.red('error')} The tool asks something back, which this command cannot answer.`,
    );
    return EXIT_CODES.failed.code;
  }
  const isError = result['isError'] === true;
  if (flags['json'] === true) terminal.out(formatJson(result));
  else {
    const content: readonly unknown[] = Array.isArray(result['content']) ? result['content'] : [];
    const blocks = content.map((block) =>
      formatBlock(block, isError ? terminal.paintErr : terminal.paintOut),
    );
    if (isError) terminal.err(`${terminal.paintErr.red('error')} ${blocks.join('\n')}`);
    else terminal.out(blocks.join('\n'));
  }
  return isError ? EXIT_CODES.failed.code : EXIT_CODES.ok.code;
}

/** Shows how far it has come, where a person looks; however it ends, nothing of that is left. */
async function ask(
  client: RpcClient,
  params: Readonly<Record<string, unknown>>,
  { isWatched, status }: Terminal,
): Promise<Readonly<Record<string, unknown>>> {
  if (!isWatched || status === undefined) return client.request('tools/call', params);
  try {
    return await client.request('tools/call', params, {
      onProgress: (update) => status(formatProgress(update)),
    });
  } finally {
    status('');
  }
}

/** Numbers, as the protocol has them; but anything may come. */
function formatProgress({ progress, total, message }: RpcProgress): string {
  const far = [progress, total].filter((part) => typeof part === 'number').join(' of ');
  return [far, oneLine(message)].filter((part) => part !== '').join(' ');
}
