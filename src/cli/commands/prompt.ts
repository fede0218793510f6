import { EXIT_CODES, UsageError } from '../terminal/command.ts';
import type { Command } from '../terminal/command.ts';
import { formatBlock } from '../terminal/content.ts';
import { ANSWER_FLAGS, connectAnswering } from '../target/connect-answering.ts';
import { explainPrompt } from '../target/find-tool.ts';
import { disconnect, TARGET_FLAGS, TARGET_HELP } from '../target/target.ts';
import { formatJson, oneLine } from '../terminal/terminal.ts';
import { readPairs } from '../terminal/values.ts';

/** `toolwright prompt` */
export const prompt: Command = {
  name: 'prompt',
  summary: 'Get a prompt and print its messages',
  usage: ['[target] <name> [argument=value …] [options]', '<name> [argument=value …] [options] -- <command>'],
  details: TARGET_HELP,
  takesCommand: true,
  flags: { ...ANSWER_FLAGS, ...TARGET_FLAGS },
  examples: [
    ['toolwright prompt greet who=Ada', 'get a prompt of the configuration in this folder'],
    [
      'toolwright prompt http://127.0.0.1:3000/mcp greet who=Ada --json',
      'print the whole result of a running server as JSON',
    ],
  ],
  run: async (call) => {
    const { client, rest, complete } = await connectAnswering(call);
    try {
      const [name, ...pairs] = rest;
      if (name === undefined)
        throw new UsageError('Missing prompt name. "toolwright list --prompts" lists the prompts.');
      const params = { name, arguments: readPairs(pairs, undefined) };
      const result = await complete({ method: 'prompts/get', params }).catch(async (error: unknown) => {
        throw await explainPrompt(client, name, error);
      });
      const { terminal } = call;
      if (call.flags['json'] === true) {
        terminal.out(formatJson(result));
        return EXIT_CODES.ok.code;
      }
      const messages: readonly unknown[] = Array.isArray(result['messages']) ? result['messages'] : [];
      for (const message of messages) {
        const { role, content } = (message ?? {}) as Readonly<Record<string, unknown>>;
        terminal.out(
          `${terminal.paintOut.bold(`${oneLine(role)}:`)} ${formatBlock(content, terminal.paintOut)}`,
        );
      }
      return EXIT_CODES.ok.code;
    } finally {
      await disconnect(client);
    }
  },
};
