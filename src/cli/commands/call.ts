import { systemClock } from '../../base/time/clock.ts';
import { completeCall } from '../../client/complete-call.ts';
import type { Answerers } from '../../client/link.ts';
import type { RpcClient, RpcProgress } from '../../client/rpc-client.ts';
import { EXIT_CODES, textFlag, textFlags } from '../terminal/command.ts';
import type { Command, CommandCall } from '../terminal/command.ts';
import { Answers } from '../target/answers.ts';
import { formatBlock } from '../terminal/content.ts';
import { findTool } from '../target/find-tool.ts';
import { connectTarget, disconnect, TARGET_FLAGS, TARGET_HELP } from '../target/target.ts';
import { formatJson, oneLine } from '../terminal/terminal.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { stopOnSignals } from '../terminal/stop-on-signals.ts';
import { TASKS_EXTENSION } from '../../wire/messages/meta-keys.ts';
import { readJsonArgs, readPairs } from '../terminal/values.ts';

/** `toolwright call` */
export const call: Command = {
  name: 'call',
  summary: 'Call a tool and print what it answers',
  usage: ['[target] <tool> [name=value …] [options]', '<tool> [name=value …] [options] -- <command>'],
  details: `${TARGET_HELP}

Arguments are name=value. What the tool wants as a number, a boolean, a list or an object is read as JSON; name:=json
says so itself. --args takes all of them at once. A tool that runs as a task is followed until it ends; Ctrl-C cancels
it.`,
  takesCommand: true,
  flags: {
    args: {
      type: 'string',
      short: 'a',
      value: 'json',
      description: 'Arguments as JSON, @file, or - for standard input',
    },
    answer: {
      type: 'string',
      value: 'name=value',
      isMultiple: true,
      description:
        'Answers what the tool asks: a field of its form. In a terminal you are asked for the others',
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
    ['toolwright call delete_note id=7 --answer confirm=yes', 'a tool that asks, from a script'],
  ],
  run: async (given) => {
    const answers = new Answers(given.terminal, textFlags(given, 'answer'));
    const answerers = { 'elicitation/create': answers.elicit };
    const capabilities = {
      extensions: { [TASKS_EXTENSION]: {} },
      ...(answers.canAnswer ? { elicitation: { form: {}, url: {} } } : {}),
    };
    const { client, rest } = await connectTarget(given, { client: { answerers, capabilities } });
    try {
      return await run({ client, answerers }, given, rest);
    } finally {
      await disconnect(client);
    }
  },
};

interface Connected {
  readonly client: RpcClient;
  readonly answerers: Answerers;
}

async function run(
  { client, answerers }: Connected,
  given: CommandCall,
  [word, ...pairs]: readonly string[],
): Promise<number> {
  const { terminal, flags } = given;
  const { name, tool } = await findTool(client, word);
  const args = {
    ...(await readJsonArgs(textFlag(given, 'args'), terminal)),
    ...readPairs(pairs, tool?.['inputSchema']),
  };
  const result = await ask({ client, answerers }, { name, arguments: args }, terminal);
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
  { client, answerers }: Connected,
  params: Readonly<Record<string, unknown>>,
  { isWatched, status }: Terminal,
): Promise<Readonly<Record<string, unknown>>> {
  let forget = (): void => {};
  try {
    return await completeCall(client, params, {
      answerers,
      clock: systemClock,
      // A task goes on without its client; whoever interrupts this program does not want that.
      onTask: (taskId) => {
        forget();
        if (taskId !== undefined)
          forget = stopOnSignals(async () => void (await client.request('tasks/cancel', { taskId })));
      },
      ...(isWatched && status !== undefined
        ? { onProgress: (update: Partial<RpcProgress>) => status(formatProgress(update)) }
        : {}),
    });
  } finally {
    forget();
    if (isWatched) status?.('');
  }
}

/** Numbers, as the protocol has them; but anything may come. */
function formatProgress({ progress, total, message }: Partial<RpcProgress>): string {
  const far = [progress, total].filter((part) => typeof part === 'number').join(' of ');
  return [far, oneLine(message)].filter((part) => part !== '').join(' ');
}
