import { didYouMean } from '../../errors/nearest-names.ts';
import { serveHttp } from '../../transport/http/serve-http.ts';
import type { ServeHttpOptions } from '../../transport/http/serve-http.ts';
import { serveStdio } from '../../transport/stdio/serve-stdio.ts';
import { SNIPPETS } from '../client-snippets.ts';
import type { Reach } from '../client-snippets.ts';
import { EXIT_CODES, numberFlag, textFlag, textFlags, UsageError } from '../command.ts';
import type { Command, CommandCall } from '../command.ts';
import { loadServer } from '../target.ts';
import type { LoadedServer } from '../target.ts';

/** `toolwright serve` */
export const serve: Command = {
  name: 'serve',
  summary: 'Serve a configuration or a module, on standard input and output or over HTTP',
  usage: ['[file] [options]'],
  details: `The file is a configuration, or a module whose default export is a server or a registry. Without one, it is
toolwright.config.* of this folder. How it is served stands in the configuration; the options here win.`,
  flags: {
    stdio: { type: 'boolean', description: 'Serve on standard input and output (the default)' },
    http: { type: 'boolean', description: 'Serve over HTTP' },
    port: {
      type: 'string',
      short: 'p',
      value: 'port',
      description: 'With HTTP: the port (3000); 0 picks a free one',
    },
    host: { type: 'string', value: 'host', description: 'With HTTP: the address to listen on (127.0.0.1)' },
    path: { type: 'string', value: 'path', description: 'With HTTP: where the server answers (/mcp)' },
    'allow-host': {
      type: 'string',
      value: 'host',
      isMultiple: true,
      description: 'With HTTP: a host that requests may name; needed with --host',
    },
    'allow-origin': {
      type: 'string',
      value: 'origin',
      isMultiple: true,
      description: 'With HTTP: an origin of browsers that may call',
    },
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
    const [file, ...others] = call.positionals;
    if (others.length > 0)
      throw new UsageError(`"toolwright serve" takes one file; it got ${call.positionals.length}.`);
    const loaded = await loadServer(file, call.terminal.cwd);
    const options = httpOptions(call, loaded);
    const client = textFlag(call, 'print-client-config');
    if (client !== undefined) return printClientConfig(client, { call, loaded, options });
    return options === undefined ? runStdio(loaded) : runHttp(loaded, options, call);
  },
};

const HTTP_FLAGS = ['port', 'host', 'path', 'allow-host', 'allow-origin'] as const;

/** How to serve over HTTP; undefined for standard input and output. */
function httpOptions(call: CommandCall, { transport }: LoadedServer): ServeHttpOptions | undefined {
  const { flags } = call;
  if (flags['stdio'] === true && flags['http'] === true)
    throw new UsageError('--stdio and --http: which of them?');
  const said = HTTP_FLAGS.find((name) => flags[name] !== undefined);
  const isHttp = flags['http'] === true || (flags['stdio'] !== true && transport?.type === 'http');
  if (!isHttp) {
    if (said !== undefined) throw new UsageError(`--${said} is for HTTP. Add --http.`);
    return undefined;
  }
  const { type: _type, ...configured } = transport?.type === 'http' ? transport : { type: 'http' as const };
  const [port, host, path] = [numberFlag(call, 'port'), textFlag(call, 'host'), textFlag(call, 'path')];
  const [hosts, origins] = [textFlags(call, 'allow-host'), textFlags(call, 'allow-origin')];
  return {
    ...configured,
    ...(port === undefined ? {} : { port }),
    ...(host === undefined ? {} : { host }),
    ...(path === undefined ? {} : { path }),
    ...(hosts.length === 0 ? {} : { allowedHosts: hosts }),
    ...(origins.length === 0 ? {} : { allowedOrigins: origins }),
  };
}

async function runStdio(loaded: LoadedServer): Promise<number> {
  const running = serveStdio(loaded.server);
  const stop = (): void => void running.close();
  for (const signal of SIGNALS) process.once(signal, stop);
  await running.closed;
  for (const signal of SIGNALS) process.off(signal, stop);
  await loaded.close();
  return EXIT_CODES.ok.code;
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

async function runHttp(
  loaded: LoadedServer,
  options: ServeHttpOptions,
  { terminal }: CommandCall,
): Promise<number> {
  const running = await serveHttp(loaded.server, options);
  const { name, version } = loaded.server;
  terminal.err(`${terminal.paintErr.green('serving')} ${name} ${version} at ${running.url}`);
  terminal.err(terminal.paintErr.dim(`Try it: toolwright list ${running.url}`));
  await new Promise<void>((resolve) => {
    for (const signal of SIGNALS) process.once(signal, () => resolve());
  });
  terminal.err('Closing …');
  await running.close();
  await loaded.close();
  return EXIT_CODES.ok.code;
}

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
  terminal.err(snippet.where);
  terminal.out(snippet.write(loaded.server.name, reach(loaded, options)));
  return EXIT_CODES.ok.code;
}

function reach({ file }: LoadedServer, options: ServeHttpOptions | undefined): Reach {
  if (options === undefined) return { command: 'npx', args: ['-y', 'toolwright', 'serve', file, '--stdio'] };
  const { host = '127.0.0.1', port = 3000, path = '/mcp' } = options;
  return { url: `http://${host}:${port}${path}` };
}
