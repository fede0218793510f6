import type { ServeHttpOptions } from '../../transport/http/serve-http.ts';
import { describeUnknownClient, formatClientConfig } from '../../transport/client-config.ts';
import { SNIPPETS } from '../../transport/client-snippets.ts';
import { EXIT_CODES, refuseMore, textFlag, UsageError } from '../terminal/command.ts';
import type { Command, CommandCall } from '../terminal/command.ts';
import { remarksOn } from '../terminal/document-remarks.ts';
import { reachByCommand, reachOverHttp } from '../target/reach-server.ts';
import { loadServer } from '../target/target.ts';
import type { LoadedServer } from '../target/target.ts';
import { httpOptions, serveUntilEnd, TRANSPORT_FLAGS } from '../target/transport-flags.ts';

/** `toolwright serve` */
export const serve: Command = {
  name: 'serve',
  summary: 'Serve a configuration or a module on standard input and output, or over HTTP',
  usage: ['[file] [options]'],
  details: `The file is a configuration, or a module whose default export is a server or a registry. Default:
toolwright.config.* in this folder. These options override the transport of the configuration.`,
  flags: {
    ...TRANSPORT_FLAGS,
    'print-client-config': {
      type: 'string',
      value: 'client',
      description: `Print how to add the server to a client, and exit: ${Object.keys(SNIPPETS).join(', ')}`,
    },
  },
  examples: [
    ['toolwright serve', 'serve the configuration in this folder, over its transport'],
    ['toolwright serve server.js --http --port 0', 'serve a module over HTTP on a free port'],
    ['toolwright serve --print-client-config cursor', 'print the settings for Cursor'],
  ],
  run: async (call) => {
    refuseMore(call.positionals, 1, '"toolwright serve" takes one file.');
    const [file] = call.positionals;
    const loaded = await loadServer(file, call.terminal.cwd);
    const options = httpOptions(call, loaded.transport);
    const client = textFlag(call, 'print-client-config');
    if (client !== undefined) return printClientConfig(client, { call, loaded, options });
    const { err, paintErr } = call.terminal;
    for (const remark of remarksOn(loaded.documents)) err(`${paintErr.yellow('openapi')} ${remark}`);
    await serveUntilEnd(loaded, options, call.terminal);
    await loaded.close();
    return EXIT_CODES.ok.code;
  },
};

interface PrintParts {
  readonly call: CommandCall;
  readonly loaded: LoadedServer;
  readonly options: ServeHttpOptions | undefined;
}

async function printClientConfig(client: string, { call, loaded, options }: PrintParts): Promise<number> {
  await loaded.close();
  const { terminal } = call;
  // Before the server is reached: an unknown client is the first mistake to name.
  if (!Object.hasOwn(SNIPPETS, client)) throw new UsageError(describeUnknownClient(client));
  const reach = options === undefined ? reachByCommand(loaded.file, terminal) : reachOverHttp(options);
  const { where, text } = formatClientConfig(client, { name: loaded.server.name, ...reach });
  terminal.err(where);
  if ('env' in reach)
    terminal.err(
      `Replace ${Object.values(reach.env ?? {}).join(', ')} with the ${Object.keys(reach.env ?? {}).length === 1 ? 'value of the variable' : 'values of the variables'}.`,
    );
  terminal.out(text);
  return EXIT_CODES.ok.code;
}
