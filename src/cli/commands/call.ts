import type { RpcProgress } from '../../client/rpc-client.ts';
import { EXIT_CODES, textFlag } from '../terminal/command.ts';
import type { Command, CommandCall } from '../terminal/command.ts';
import { ANSWER_FLAGS, connectAnswering } from '../target/connect-answering.ts';
import type { AnsweringTarget } from '../target/connect-answering.ts';
import { formatBlock } from '../terminal/content.ts';
import { findTool } from '../target/find-tool.ts';
import { disconnect, TARGET_FLAGS, TARGET_HELP } from '../target/target.ts';
import { formatJson, harmless, oneLine } from '../terminal/terminal.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { stopOnSignals } from '../terminal/stop-on-signals.ts';
import { CONFIRMATION_ARGUMENT } from '../../pipeline/confirm.ts';
import { TASKS_EXTENSION } from '../../wire/messages/meta-keys.ts';
import { propertiesOf, readJsonArgs, readPairs, remarksOnNames } from '../terminal/values.ts';

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
    ...ANSWER_FLAGS,
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
    const target = await connectAnswering(given, { extensions: { [TASKS_EXTENSION]: {} } });
    try {
      return await run(target, given);
    } finally {
      await disconnect(target.client);
    }
  },
};

async function run(target: AnsweringTarget, given: CommandCall): Promise<number> {
  const { terminal, flags } = given;
  const [word, ...pairs] = target.rest;
  const { name, tool } = await findTool(target.client, word);
  const args = {
    ...(await readJsonArgs(textFlag(given, 'args'), terminal)),
    ...readPairs(pairs, tool?.['inputSchema']),
  };
  for (const remark of remarksOnNames(args, tool?.['inputSchema']))
    terminal.err(`${terminal.paintErr.yellow('warning')} ${harmless(remark)}`);
  const result = await ask(target, { name, arguments: args }, terminal);
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
  const isOwnServer = target.loaded !== undefined || given.command.length > 0;
  if (isOwnServer && !target.canAnswer && asksForToken(result, tool?.['inputSchema']))
    terminal.err(
      `The ${CONFIRMATION_ARGUMENT} ends with this command, which started the server. To confirm, add --answer confirm=yes, or run the command in a terminal.`,
    );
  return isError ? EXIT_CODES.failed.code : EXIT_CODES.ok.code;
}

/** Whether a result names the argument that confirms a call, and the tool takes it. */
function asksForToken({ content }: Readonly<Record<string, unknown>>, schema: unknown): boolean {
  return (
    Object.hasOwn(propertiesOf(schema), CONFIRMATION_ARGUMENT) &&
    JSON.stringify(content ?? []).includes(CONFIRMATION_ARGUMENT)
  );
}

/** Shows how far it has come, where a person looks; however it ends, nothing of that is left. */
async function ask(
  { client, complete }: AnsweringTarget,
  params: Readonly<Record<string, unknown>>,
  { isWatched, status }: Terminal,
): Promise<Readonly<Record<string, unknown>>> {
  let forget = (): void => {};
  try {
    const request = { method: 'tools/call', params } as const;
    return await complete(request, {
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
