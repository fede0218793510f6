import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { AuthOptions } from '../../auth/protected-resource.ts';
import { linkToUrl } from '../../client/http-link.ts';
import type { Link } from '../../client/link.ts';
import { linkInMemory } from '../../client/memory-link.ts';
import { connectClient } from '../../client/rpc-client.ts';
import type { ConnectOptions, RpcClient } from '../../client/rpc-client.ts';
import { linkToCommand } from '../../client/stdio-link.ts';
import { loadConfig } from '../../config/load-config.ts';
import type { TransportConfig } from '../../config/file/config-types.ts';
import { isPlain } from '../../config/file/is-code.ts';
import { CONFIG_NAMES, findConfigFile } from '../../config/file/read-config-file.ts';
import { importModule, isModule } from '../../config/modules/import-module.ts';
import { DefinitionError } from '../../errors/errors.ts';
import type { Principal } from '../../middleware/context.ts';
import type { OpenApiReport } from '../../openapi/model/import-report.ts';
import type { Caller } from '../../pipeline/tool/policy.ts';
import { ToolRegistry } from '../../registry/tool-registry.ts';
import { createServer, ToolwrightServer } from '../../server/create-server.ts';
import type { SessionOptions } from '../../transport/http/message/http-options.ts';
import { quote } from '../../transport/client-snippets.ts';
import { durationFlag, refuseMore, textFlag, textFlags, UsageError } from '../terminal/command.ts';
import type { CommandCall, Flag } from '../terminal/command.ts';
import { readHeaders } from './read-headers.ts';
import { stopOnSignals } from '../terminal/stop-on-signals.ts';
import { harmless } from '../terminal/terminal.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { VERSION } from '../terminal/version.ts';
import { watchLoad } from './watch-load.ts';

/** Help text about targets. */
export const TARGET_HELP = `A target is a configuration or a module (./server.js), a URL (http://127.0.0.1:3000/mcp, or localhost:3000/mcp), or a
command after "--" that starts a server on standard input and output. Default: toolwright.config.* in this folder.`;

/** Flags of commands that talk to a server. */
export const TARGET_FLAGS: Readonly<Record<string, Flag>> = {
  header: {
    type: 'string',
    short: 'H',
    value: 'name: value',
    isMultiple: true,
    description: 'With a URL: a request header, such as "Authorization: Bearer …"',
  },
  timeout: {
    type: 'string',
    short: 't',
    value: 'ms',
    description: 'Timeout for connecting (default: 30000) and for each response (default: 60000)',
  },
  json: { type: 'boolean', description: 'Print JSON' },
  as: {
    type: 'string',
    value: 'id',
    description: 'With a file: the id of the principal (default: anonymous, or "cli" with --scopes)',
  },
  scopes: {
    type: 'string',
    value: 'scope,…',
    isMultiple: true,
    description: 'With a file: the scopes of the principal',
  },
};

/** A server in this process, and its configured transport. */
export interface LoadedServer {
  readonly server: ToolwrightServer;
  readonly transport: TransportConfig | undefined;
  /** Authentication over HTTP. */
  readonly auth?: AuthOptions | undefined;
  /** Sessions that all processes share. */
  readonly sessions?: SessionOptions | undefined;
  /** The caller over standard input and output. */
  readonly principal?: Principal | undefined;
  readonly file: string;
  readonly isConfiguration: boolean;
  /** Import reports of the OpenAPI documents of a configuration. */
  readonly documents: readonly OpenApiReport[];
  close(): Promise<void>;
}

type Target =
  | { readonly kind: 'command'; readonly command: readonly [string, ...string[]] }
  | { readonly kind: 'url'; readonly url: URL }
  | { readonly kind: 'file'; readonly file: string }
  /** The configuration of the folder. */
  | { readonly kind: 'folder' };

/** No target was given, and the folder has no configuration. */
export class NoConfigurationError extends UsageError {
  constructor(takesCommand: boolean) {
    const hint = takesCommand ? 'Name a file, a URL, or a command after "--".' : 'Name a file.';
    super(
      `Missing ${takesCommand ? 'target' : 'file'}: this folder has no configuration (${CONFIG_NAMES.join(', ')}). ${hint}`,
    );
  }
}

/** Splits a command line into its target and the remaining arguments. */
function readTarget({ command, positionals, terminal }: CommandCall): {
  target: Target;
  rest: readonly string[];
} {
  const [program, ...args] = command;
  if (program !== undefined)
    return { target: { kind: 'command', command: [program, ...args] }, rest: positionals };
  const [first, ...rest] = positionals;
  if (first === undefined) return { target: { kind: 'folder' }, rest };
  const address = findAddress(first);
  if (address !== undefined) return { target: { kind: 'url', url: readUrl(address) }, rest };
  if (!looksLikeFile(first)) return { target: { kind: 'folder' }, rest: positionals };
  const file = resolve(terminal.cwd, first);
  if (!existsSync(file) && /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}\//i.test(first))
    throw new UsageError(`File not found: ${file}. For a URL, write https:// before it.`);
  assertFile(file);
  return { target: { kind: 'file', file }, rest };
}

/** An address of this machine. An address of another machine needs a scheme. */
const LOCAL_ADDRESS = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?(?:[/?#]|$)/i;
const OTHER_ADDRESS = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)+|\[[0-9a-f:.]+\]):\d{1,5}(?:[/?#]|$)/i;

/** The URL of an argument. The scheme may be omitted only for this machine: elsewhere, headers could be sent unencrypted. */
function findAddress(word: string): string | undefined {
  if (/^https?:\/\//i.test(word)) return word;
  if (LOCAL_ADDRESS.test(word)) return `http://${word}`;
  if (OTHER_ADDRESS.test(word))
    throw new UsageError(
      `Invalid target: a URL of another machine needs its scheme. Write https:// (or http://) before ${word.replace(/[?#].*$/s, '')}.`,
    );
  return undefined;
}

/**
 * Decided by the spelling alone: whether an argument is the name of a tool must not depend on the files in the folder. URIs of resources
 * are not files.
 */
function looksLikeFile(word: string): boolean {
  if (/^[a-z](?:[a-z0-9+.-]+:|:\/\/)/i.test(word)) return false;
  return /[/\\]/.test(word) || /\.(?:[cm]?[jt]sx?|json|ya?ml)$/i.test(word);
}

export function assertFile(file: string): void {
  if (!existsSync(file)) throw new UsageError(`File not found: ${file}.`);
  if (statSync(file).isDirectory()) throw new UsageError(`${file} is a folder. Name the file in it.`);
}

/** Messages do not repeat the URL, because it may contain a password. */
function readUrl(text: string): URL {
  if (!URL.canParse(text))
    throw new UsageError('Invalid target: expected a URL such as http://127.0.0.1:3000/mcp.');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '')
    throw new UsageError(
      `The URL of ${url.host} contains a user name or a password, which is not sent. Use --header "Authorization: Basic …".`,
    );
  return url;
}

/** Options of {@link connectTarget}. */
export interface TargetOptions {
  /** Maximum number of arguments besides the target. Default: Infinity. */
  readonly maxWords?: number;
  /** Client capabilities and the handlers of the server's requests. Default: none. */
  readonly client?: Pick<ConnectOptions, 'answerers' | 'capabilities'>;
}

/** A connected target. */
export interface ConnectedTarget {
  readonly client: RpcClient;
  /** Arguments after the target. */
  readonly rest: readonly string[];
  /** Only for a file, whose server is in this process. */
  readonly loaded?: LoadedServer;
  /** Of a URL. */
  readonly url?: URL;
}

/** Connects to the target of a command line. */
export async function connectTarget(
  call: CommandCall,
  { maxWords = Infinity, client: options = {} }: TargetOptions = {},
): Promise<ConnectedTarget> {
  const { target, rest } = readTarget(call);
  refuseMore(rest, maxWords, TARGET_HINT);
  const timeoutMs = durationFlag(call, 'timeout');
  const { link, close, loaded } = await openLink(call, target);
  try {
    const client = await connectClient(link, {
      name: 'toolwright-cli',
      version: VERSION,
      ...options,
      ...(timeoutMs === undefined ? {} : { connectMs: timeoutMs, answerMs: timeoutMs }),
    });
    closers.set(client, close);
    return {
      client,
      rest,
      ...(loaded === undefined ? {} : { loaded }),
      ...(target.kind === 'url' ? { url: target.url } : {}),
    };
  } catch (error) {
    await link.close().catch(() => {});
    await close();
    throw error;
  }
}

const TARGET_HINT = 'A target is one file such as ./server.js, one URL, or a command after "--".';

/** Resources to release after a client is closed. */
const closers = new WeakMap<RpcClient, () => Promise<void>>();

/** Closes a client and the server that was started for it. */
export async function disconnect(client: RpcClient): Promise<void> {
  await client.close();
  await closers.get(client)?.();
}

async function openLink(
  call: CommandCall,
  target: Target,
): Promise<{ link: Link; close: () => Promise<void>; loaded?: LoadedServer }> {
  const caller = readCaller(call);
  if (caller !== undefined && (target.kind === 'url' || target.kind === 'command'))
    throw new UsageError(
      `--as and --scopes apply only to a file, whose server runs in this process. ${target.kind === 'url' ? 'The server at a URL authenticates its callers: use --header "Authorization: Bearer …".' : 'Callers on standard input and output are anonymous.'}`,
    );
  const headers = textFlags(call, 'header');
  if (target.kind === 'url')
    return { link: linkToUrl(target.url, { headers: readHeaders(headers) }), close: async () => {} };
  if (headers.length > 0)
    throw new UsageError('--header applies only to a URL: files and commands have no request headers.');
  if (target.kind === 'command') {
    const link = linkToCommand(target.command, { cwd: call.terminal.cwd });
    const forget = stopOnSignals(() => link.stop());
    return { link, close: async () => forget() };
  }
  const file = target.kind === 'file' ? target.file : undefined;
  const loaded = await loadServer(file, call.terminal, { takesCommand: true });
  const { principal, transport } = loaded;
  const own = transport?.type === 'stdio' && principal !== undefined ? { principal } : undefined;
  return { link: linkInMemory(loaded.server, caller ?? own), close: () => loaded.close(), loaded };
}

/** The caller of a server in this process; undefined for an anonymous caller. */
function readCaller(call: CommandCall): Caller | undefined {
  const id = textFlag(call, 'as');
  const scopes = textFlags(call, 'scopes').flatMap((each) => each.split(/[\s,]+/).filter(Boolean));
  if (id === '') throw new UsageError('--as must be the id of a principal; received "".');
  if (id === undefined && call.flags['scopes'] === undefined) return undefined;
  return { principal: { id: id ?? 'cli', scopes } };
}

/** Options of {@link loadServer}. */
interface LoadOptions {
  /** Called with every file that a configuration reads. */
  readonly onFile?: (file: string) => void;
  /** Whether the command accepts a command after `--`: errors then suggest it. */
  readonly takesCommand?: boolean;
}

/** Loads a configuration, or a module that exports a server. */
export async function loadServer(
  given: string | undefined,
  { cwd, err, paintErr }: LoadTerminal,
  options: LoadOptions = {},
): Promise<LoadedServer> {
  const file = given === undefined ? findConfigFile(cwd) : resolve(cwd, given);
  if (file === undefined) throw new NoConfigurationError(options.takesCommand === true);
  assertFile(file);
  const onSlow = (message: string): void => err(`${paintErr.yellow('waiting')} ${harmless(message)}`);
  return watchLoad(file, loadFile(file, options), { onSlow });
}

/** The parts of a terminal that {@link loadServer} uses. */
type LoadTerminal = Pick<Terminal, 'cwd' | 'err' | 'paintErr'>;

async function loadFile(file: string, { onFile, takesCommand = false }: LoadOptions): Promise<LoadedServer> {
  const exported = await importDefault(file, takesCommand);
  const server = exported instanceof ToolRegistry ? serverOf(exported) : exported;
  if (server instanceof ToolwrightServer)
    return {
      server,
      transport: undefined,
      file,
      isConfiguration: false,
      documents: [],
      close: () => server.close(),
    };
  const configured = await loadConfig(file, onFile === undefined ? {} : { onFile });
  return {
    server: configured.server,
    transport: configured.transport,
    auth: configured.auth,
    sessions: configured.sessions,
    principal: configured.principal,
    file,
    isConfiguration: true,
    documents: configured.openapi,
    close: () => configured.close(),
  };
}

/** The default export of a module; undefined for JSON and YAML files, which are always configurations. */
async function importDefault(file: string, takesCommand: boolean): Promise<unknown> {
  if (!isModule(file)) return undefined;
  const { default: exported } = await importModule(file);
  if (exported === undefined) {
    // Node 20 does not run TypeScript. jiti is installed: it has loaded the file.
    const runner = /\.[mc]?ts$/.test(file) ? 'npx jiti' : 'node';
    const command = `, or, if it serves stdio, start it as a command: toolwright list -- ${runner} ${quote(file)}`;
    throw new DefinitionError(
      `${file} has no default export. Export a server or a registry: export default createServer({ … })${takesCommand ? command : ''}`,
    );
  }
  const isServer = exported instanceof ToolwrightServer || exported instanceof ToolRegistry;
  if (!isServer && !isPlain(exported))
    throw new DefinitionError(
      `The default export of ${file} must be a server, a registry or a configuration, not ${nounOf(exported)}. Export the server: export default createServer({ … })`,
    );
  return exported;
}

function nounOf(exported: unknown): string {
  if (Array.isArray(exported)) return 'an array';
  if (exported === null) return 'null';
  if (typeof exported !== 'object') return `a ${typeof exported}`;
  return `an instance of ${(exported.constructor as { readonly name?: string } | undefined)?.name || 'a class'}`;
}

function serverOf(registry: ToolRegistry): ToolwrightServer {
  return createServer({ name: registry.name, version: '0.0.0', tools: registry });
}
