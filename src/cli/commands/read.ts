import { EXIT_CODES, UsageError } from '../terminal/command.ts';
import type { Command } from '../terminal/command.ts';
import { formatResource } from '../terminal/content.ts';
import { ANSWER_FLAGS, connectAnswering } from '../target/connect-answering.ts';
import { disconnect, TARGET_FLAGS, TARGET_HELP } from '../target/target.ts';
import { formatJson } from '../terminal/terminal.ts';

/** `toolwright read` */
export const read: Command = {
  name: 'read',
  summary: 'Read a resource',
  usage: ['[target] <uri> [options]', '<uri> [options] -- <command>'],
  details: TARGET_HELP,
  takesCommand: true,
  flags: { ...ANSWER_FLAGS, ...TARGET_FLAGS },
  examples: [
    ['toolwright read docs://manual', 'a resource of the server that is configured in this folder'],
    [
      'toolwright read http://127.0.0.1:3000/mcp docs://manual --json',
      'the whole result, with types and bytes',
    ],
  ],
  run: async (call) => {
    // A URI of the web would be taken for the address of a server.
    const { client, rest, complete } = await connectAnswering(call, { maxWords: 1 });
    try {
      const [uri] = rest;
      if (uri === undefined)
        throw new UsageError('Which resource? "toolwright list --resources" shows them.');
      const result = await complete({ method: 'resources/read', params: { uri } });
      const contents: readonly unknown[] = Array.isArray(result['contents']) ? result['contents'] : [];
      const { terminal } = call;
      if (call.flags['json'] === true) terminal.out(formatJson(result));
      else terminal.out(contents.map((content) => formatResource(content, terminal.paintOut)).join('\n'));
      return EXIT_CODES.ok.code;
    } finally {
      await disconnect(client);
    }
  },
};
