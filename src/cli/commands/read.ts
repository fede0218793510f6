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
    ['toolwright read docs://manual', 'read a resource of the configuration in this folder'],
    [
      'toolwright read http://127.0.0.1:3000/mcp docs://manual --json',
      'print the whole result as JSON, with MIME types and binary data',
    ],
  ],
  run: async (call) => {
    // An http: URI as the first argument is the target, not the resource.
    const { client, rest, complete } = await connectAnswering(call, { maxWords: 1 });
    try {
      const [uri] = rest;
      if (uri === undefined)
        throw new UsageError('Missing resource URI. "toolwright list --resources" lists the resources.');
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
