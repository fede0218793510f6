import type { Writable } from 'node:stream';
import type { AuthOptions } from '../../auth/protected-resource.ts';
import type { TransportConfig } from '../../config/file/config-types.ts';
import type { Principal } from '../../middleware/context.ts';
import type { ToolwrightServer } from '../../server/create-server.ts';
import { forwardedFor } from '../../transport/http/forwarded-for.ts';
import type { SessionOptions } from '../../transport/http/message/http-options.ts';
import { serveHttp } from '../../transport/http/serve-http.ts';
import type { ServeHttpOptions } from '../../transport/http/serve-http.ts';
import { serveStdio } from '../../transport/stdio/serve-stdio.ts';
import { numberFlag, textFlag, textFlags, UsageError } from '../terminal/command.ts';
import type { CommandCall, Flag } from '../terminal/command.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { findTryLine } from './try-line.ts';

/** Flags of commands that serve. */
export const TRANSPORT_FLAGS: Readonly<Record<string, Flag>> = {
  stdio: { type: 'boolean', description: 'Serve on standard input and output (default)' },
  http: { type: 'boolean', description: 'Serve over HTTP' },
  port: {
    type: 'string',
    short: 'p',
    value: 'port',
    description: 'With HTTP: the port (default: 3000); 0 picks a free port',
  },
  host: {
    type: 'string',
    value: 'host',
    description: 'With HTTP: the address to listen on (default: 127.0.0.1)',
  },
  path: { type: 'string', value: 'path', description: 'With HTTP: the path of the endpoint (default: /mcp)' },
  'allow-host': {
    type: 'string',
    value: 'host',
    isMultiple: true,
    description: 'With HTTP: an allowed Host header; required if --host is not a loopback address',
  },
  'allow-origin': {
    type: 'string',
    value: 'origin',
    isMultiple: true,
    description: 'With HTTP: an allowed Origin header, for clients in a browser',
  },
};

const HTTP_FLAGS = ['port', 'host', 'path', 'allow-host', 'allow-origin', 'no-sessions'] as const;

/** Options for serving over HTTP; undefined for standard input and output. `sessions`: those of the configuration. */
export function httpOptions(
  call: CommandCall,
  transport: TransportConfig | undefined,
  sessions?: SessionOptions,
): ServeHttpOptions | undefined {
  const { flags } = call;
  if (flags['stdio'] === true && flags['http'] === true)
    throw new UsageError('Use either --stdio or --http, not both.');
  const said = HTTP_FLAGS.find((name) => flags[name] !== undefined);
  const isHttp = flags['http'] === true || (flags['stdio'] !== true && transport?.type === 'http');
  if (!isHttp) {
    if (said !== undefined) throw new UsageError(`--${said} applies only to HTTP. Add --http.`);
    return undefined;
  }
  const { clientAddress, ...configured } = transport?.type === 'http' ? withoutType(transport) : {};
  const [port, host, path] = [numberFlag(call, 'port'), textFlag(call, 'host'), textFlag(call, 'path')];
  if (port !== undefined && port > MAX_PORT)
    throw new UsageError(`--port must be a number from 0 to ${MAX_PORT}; received "${port}".`);
  if (path !== undefined && !path.startsWith('/'))
    throw new UsageError(`--path must begin with "/"; received "${path}". Write --path /${path}`);
  const [hosts, origins] = [textFlags(call, 'allow-host'), textFlags(call, 'allow-origin')];
  return {
    ...configured,
    ...(sessions === undefined ? {} : { sessions }),
    ...(clientAddress === undefined ? {} : { clientAddress: forwardedFor(clientAddress.forwardedFor) }),
    ...(port === undefined ? {} : { port }),
    ...(host === undefined ? {} : { host }),
    ...(path === undefined ? {} : { path }),
    ...(hosts.length === 0 ? {} : { allowedHosts: hosts }),
    ...(origins.length === 0 ? {} : { allowedOrigins: origins }),
    ...(flags['no-sessions'] === true ? { sessions: false } : {}),
  };
}

type HttpConfig = Extract<TransportConfig, { type: 'http' }>;

function withoutType({ type: _type, ...others }: HttpConfig): Omit<HttpConfig, 'type'> {
  return others;
}

const MAX_PORT = 65_535;

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Serves until a signal arrives or, on standard input and output, until the input ends. */
export async function serveUntilEnd(
  { server, auth, principal }: ServedByCommand,
  options: ServeHttpOptions | undefined,
  terminal: Terminal,
): Promise<void> {
  if (options === undefined) return untilInputEnds(server, principal, terminal);
  await untilSignal(server, auth === undefined ? options : { ...options, auth }, terminal);
}

/** A server, and the callers it is served to. */
export interface ServedByCommand {
  readonly server: ToolwrightServer;
  /** Authentication over HTTP. */
  readonly auth?: AuthOptions | undefined;
  /** The caller over standard input and output. */
  readonly principal?: Principal | undefined;
}

async function untilInputEnds(
  server: ToolwrightServer,
  principal: Principal | undefined,
  terminal: Terminal,
): Promise<void> {
  const { outlet, incoming } = terminal;
  // Without this line the terminal looks as if the command hangs.
  if (terminal.isWatched && process.stdin.isTTY)
    terminal.err(
      terminal.paintErr.dim(
        `serving ${server.name} on standard input and output, for a client that starts this command; use --http to serve at a URL`,
      ),
    );
  // Standard output was already protected at the start of the program. Protecting it again would send the messages to standard error. The
  // outlet has every member of a stream that is used for writing messages.
  const running = serveStdio(server, {
    ...(outlet === undefined ? {} : { output: outlet as unknown as Writable }),
    ...(incoming === undefined ? {} : { input: incoming }),
    ...(principal === undefined ? {} : { principal }),
  });
  const stop = (): void => void running.close();
  for (const signal of SIGNALS) process.once(signal, stop);
  await running.closed;
  for (const signal of SIGNALS) process.off(signal, stop);
}

async function untilSignal(
  server: ToolwrightServer,
  options: ServeHttpOptions,
  terminal: Terminal,
): Promise<void> {
  const running = await serveHttp(server, options);
  // Before the first output, because its reader may send a signal immediately.
  const stopped = new Promise<void>((resolve) => {
    const stop = (): void => {
      for (const signal of SIGNALS) process.off(signal, stop);
      resolve();
    };
    for (const signal of SIGNALS) process.on(signal, stop);
  });
  const { name, version } = server;
  terminal.err(`${terminal.paintErr.green('serving')} ${name} ${version} at ${running.url}`);
  const line = findTryLine({ url: running.url, options }, terminal);
  if (line !== undefined) terminal.err(terminal.paintErr.dim(`Try it: ${line}`));
  await stopped;
  terminal.err('Shutting down \u2026');
  await running.close();
}
