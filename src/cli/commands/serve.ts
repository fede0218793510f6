import { didYouMean } from '../../errors/nearest-names.ts';
import type { ServeHttpOptions } from '../../transport/http/serve-http.ts';
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
  summary: 'Serve a configuration or a module, on standard input and output or over HTTP',
  usage: ['[file] [options]'],
  details: `The file is a configuration, or a module whose default export is a server or a registry. Without one, it is
toolwright.config.* of this folder. How it is served stands in the configuration; the options here win.`,
  flags: {
    ...TRANSPORT_FLAGS,
    'print-client-config': {
      type: 'string',
      value: 'client',
      description: `Print how to add the server to a client, and stop: ${Object.keys(SNIPPETS).join(', ')}`,
    },
  },
  examples: [
    ['toolwright serve', 'the configuration of this folder, as it says'],
    ['toolwright serve server.js --http --port 0', 'a module, over HTTP on a free port'],
    ['toolwright serve --print-client-config cursor', 'what to put into the settings of Cursor'],
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
  const snippet = Object.hasOwn(SNIPPETS, client) ? SNIPPETS[client] : undefined;
  await loaded.close();
  if (snippet === undefined) {
    const names = Object.keys(SNIPPETS);
    throw new UsageError(
      `There is no client "${client}".${didYouMean(client, names)} Clients: ${names.join(', ')}.`,
    );
  }
  const { terminal } = call;
  const reach = options === undefined ? reachByCommand(loaded.file, terminal) : reachOverHttp(options);
  terminal.err(snippet.where);
  if ('env' in reach)
    terminal.err(`In the place of ${Object.values(reach.env ?? {}).join(', ')} goes what the variable has.`);
  terminal.out(snippet.write(loaded.server.name, reach));
  return EXIT_CODES.ok.code;
}
