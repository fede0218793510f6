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
  summary: 'Call a tool and print its result',
  usage: ['[target] <tool> [name=value …] [options]', '<tool> [name=value …] [options] -- <command>'],
  details: `${TARGET_HELP}

Write arguments as name=value. A value is parsed as JSON if the tool expects a number, a boolean, an array or an object;
name:=json is always parsed as JSON. --args takes all arguments as one JSON object. If the tool runs as a task, the
command waits until the task ends; Ctrl-C cancels it.`,
  takesCommand: true,
  flags: {
    args: {
      type: 'string',
      short: 'a',
      value: 'json',
      description: 'All arguments: a JSON object, @file, or - for standard input',
    },
    ...ANSWER_FLAGS,
    ...TARGET_FLAGS,
  },
  examples: [
    ['toolwright call add a=1 b=2', 'call a tool of the configuration in this folder'],
    [
      'toolwright call http://127.0.0.1:3000/mcp add_note title=Milk tags:=\'["shop"]\'',
      'call a tool of a running server',
    ],
    [
      'toolwright call add --args \'{"a": 1, "b": 2}\' --json -- node server.js',
      'start a server and print the whole result as JSON',
    ],
    ['toolwright call delete_note id=7 --answer confirm=yes', 'confirm a destructive call from a script'],
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
      `The ${CONFIRMATION_ARGUMENT} is valid only until this command ends, because it started the server. To confirm, add --answer confirm=yes, or run the command in a terminal.`,
    );
  return isError ? EXIT_CODES.failed.code : EXIT_CODES.ok.code;
}

/** Whether a result asks for the confirmation argument of the tool. */
function asksForToken({ content }: Readonly<Record<string, unknown>>, schema: unknown): boolean {
  return (
    Object.hasOwn(propertiesOf(schema), CONFIRMATION_ARGUMENT) &&
    JSON.stringify(content ?? []).includes(CONFIRMATION_ARGUMENT)
  );
}

/** Calls the tool. In a terminal, shows its progress in a status line, which is removed at the end. */
async function ask(
  { client, complete }: AnsweringTarget,
  params: Readonly<Record<string, unknown>>,
  { isWatched, status }: Terminal,
): Promise<Readonly<Record<string, unknown>>> {
  let forget = (): void => {};
  try {
    const request = { method: 'tools/call', params } as const;
    return await complete(request, {
      // A task would continue after its client has ended; an interrupt cancels it.
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

/** Formats a progress notification. Its members are not validated. */
function formatProgress({ progress, total, message }: Partial<RpcProgress>): string {
  const far = [progress, total].filter((part) => typeof part === 'number').join(' of ');
  return [far, oneLine(message)].filter((part) => part !== '').join(' ');
}
