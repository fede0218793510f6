import type { ServeHttpOptions } from '../../transport/http/serve-http.ts';
import { describeUnknownClient, formatClientConfig } from '../../transport/client-config.ts';
import { SNIPPETS } from '../../transport/client-snippets.ts';
import { EXIT_CODES, numberFlag, refuseMore, textFlag, textFlags, UsageError } from '../terminal/command.ts';
import type { Command, CommandCall } from '../terminal/command.ts';
import { remarksOn } from '../terminal/document-remarks.ts';
import { reachByCommand, reachOverHttp } from '../target/reach-server.ts';
import { loadServer } from '../target/target.ts';
import { readAllowed, WORKERS_NEED_HTTP } from '../workers/memory-advice.ts';
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
    'no-sessions': {
      type: 'boolean',
      description: 'With HTTP: serve clients of revisions before 2026-07-28 without sessions',
    },
    workers: {
      type: 'string',
      value: 'count',
      description: 'With HTTP: serve with several processes; SIGHUP replaces them without interruption',
    },
    'allow-memory': {
      type: 'string',
      value: 'state,…',
      isMultiple: true,
      description: 'With --workers: state that each worker may keep for itself, such as cache,rateLimit',
    },
    'print-client-config': {
      type: 'string',
      value: 'client',
      description: `Print how to add the server to a client, and exit: ${Object.keys(SNIPPETS).join(', ')}`,
    },
  },
  examples: [
    ['toolwright serve', 'serve the configuration in this folder, over its transport'],
    ['toolwright serve server.js --http --port 0', 'serve a module over HTTP on a free port'],
    ['toolwright serve --http --no-sessions --workers 4', 'serve with four processes'],
    ['toolwright serve --print-client-config cursor', 'print the settings for Cursor'],
  ],
  run: async (call) => {
    refuseMore(call.positionals, 1, '"toolwright serve" takes one file.');
    const count = readWorkers(call);
    if (count !== undefined && textFlag(call, 'print-client-config') === undefined)
      return serveWithWorkers(call, count);
    const [file] = call.positionals;
    const loaded = await loadServer(file, call.terminal);
    const options = httpOptions(call, loaded.transport, loaded.sessions);
    const client = textFlag(call, 'print-client-config');
    if (client !== undefined) return printClientConfig(client, { call, loaded, options });
    const { err, paintErr } = call.terminal;
    for (const remark of remarksOn(loaded.documents)) err(`${paintErr.yellow('openapi')} ${remark}`);
    await serveUntilEnd(loaded, options, call.terminal);
    await loaded.close();
    return EXIT_CODES.ok.code;
  },
};

const MAX_WORKERS = 256;

function readWorkers(call: CommandCall): number | undefined {
  const count = numberFlag(call, 'workers');
  if (count !== undefined && (count < 1 || count > MAX_WORKERS))
    throw new UsageError(`--workers must be a number from 1 to ${MAX_WORKERS}; received "${count}".`);
  if (count === undefined && textFlags(call, 'allow-memory').length > 0)
    throw new UsageError('--allow-memory applies only to several processes. Add --workers.');
  return count;
}

async function serveWithWorkers(call: CommandCall, count: number): Promise<number> {
  // Loaded here: no other command needs it.
  const { isWorker, runWorker } = await import('../workers/run-worker.ts');
  if (isWorker(process.env)) return runWorker(call, { count, flags: serve.flags });
  // Validates the flags before any process is started, independently of the configured transport.
  const { flags, terminal } = call;
  if (flags['stdio'] === true) throw new UsageError(WORKERS_NEED_HTTP);
  httpOptions(call, { type: 'http' });
  readAllowed(call);
  const { runGroup } = await import('../workers/run-group.ts');
  return runGroup(count, terminal);
}

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
