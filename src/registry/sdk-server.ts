import { JSON_RPC_METHOD_NOT_FOUND } from '../errors/codes.ts';
import { ToolwrightError } from '../errors/errors.ts';

/** A request handler of both SDK versions: the request, then its context, which other servers may omit. */
export type SdkHandler = (request: SdkRequest, surroundings?: unknown) => unknown;

/** The members of a request that are read. */
export interface SdkRequest {
  readonly params?: { readonly name?: unknown; readonly arguments?: unknown } | undefined;
}

interface ToolsCapability {
  readonly listChanged?: boolean;
}

/**
 * The one method that `attachToServer` needs. It is called with the name of a method or, if that throws, with a request schema as in
 * version 1 of the SDK. The handler returns a promise of the result; it rejects with an error that has `code` and `message`.
 */
export interface McpServerLike {
  setRequestHandler(method: unknown, handler: SdkHandler): unknown;
}

/** The members of the SDK's low-level `Server` that are used if present; equal in version 1 and 2 except for `setRequestHandler`. */
export interface SdkServer extends McpServerLike {
  removeRequestHandler?(method: string): void;
  registerCapabilities?(capabilities: object): void;
  sendToolListChanged?(): Promise<void>;
  /** Version 2 only: converts a result to the protocol revision of the connection. */
  projectCallToolResult?(result: unknown, outputSchema: unknown): unknown;
  /** Undefined while an SDK server is not connected. */
  readonly transport?: unknown;
  /** Not public, but the only way to read the previous handlers. Missing counts as empty. */
  readonly _requestHandlers?: unknown;
  _capabilities?: { readonly tools?: ToolsCapability } | undefined;
}

/** The low-level server: the argument itself, or the one inside an `McpServer`. */
export function findSdkServer(given: unknown): SdkServer {
  for (const candidate of [readMember(given, 'server'), given]) {
    if (isServer(candidate)) return candidate;
  }
  throw new ToolwrightError(
    'UNSUPPORTED_SERVER',
    `attachToServer needs a Server or McpServer of the official MCP SDK (version 1 or 2), or another server with the method setRequestHandler; received ${describe(given)}.`,
  );
}

/** Excludes SDK clients, which have handlers too. */
function isServer(value: unknown): value is SdkServer {
  return (
    typeof readMember(value, 'setRequestHandler') === 'function' &&
    typeof readMember(value, 'callTool') !== 'function'
  );
}

/** Reading a member of the argument may throw. */
function readMember(value: unknown, key: string): unknown {
  try {
    return (value as Record<string, unknown> | null | undefined)?.[key];
  } catch {
    return undefined;
  }
}

function describe(value: unknown): string {
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  const { constructor } = value as { constructor?: { name?: unknown } };
  return typeof constructor?.name === 'string' && constructor.name !== ''
    ? `an instance of ${constructor.name}`
    : 'an object';
}

/** Number of registries attached to a server, and its capability before the first one. */
const attachments = new WeakMap<SdkServer, { count: number; before: ToolsCapability | undefined }>();

/**
 * Declares the tools capability, which is possible only before the server is connected. Returns a function that restores the previous one.
 */
export function declareTools(server: SdkServer): () => void {
  if (server.registerCapabilities === undefined) return () => {};
  const before = server._capabilities?.tools;
  const attachment = attachments.get(server) ?? { count: 0, before };
  if (before === undefined && server.transport !== undefined) {
    throw new ToolwrightError(
      'UNSUPPORTED_SERVER',
      'The server is already connected and did not declare tools. Call attachToServer before connect, or create the server with { capabilities: { tools: {} } }.',
    );
  }
  if (before?.listChanged !== true && server.transport === undefined) {
    server.registerCapabilities({ tools: { listChanged: true } });
  }
  attachment.count += 1;
  attachments.set(server, attachment);
  return () => {
    attachment.count -= 1;
    if (attachment.count === 0) restoreCapability(server, attachment.before);
  };
}

/** Connected clients keep the declared capability; an unconnected server must not declare a capability it lost. */
function restoreCapability(server: SdkServer, before: ToolsCapability | undefined): void {
  attachments.delete(server);
  if (server.transport !== undefined || server._capabilities === undefined) return;
  const { tools: _tools, ...others } = server._capabilities;
  server._capabilities = before === undefined ? others : { ...others, tools: before };
}

/** A handler of a registry on a server, and the previous handler. */
interface Layer {
  readonly method: string;
  readonly ours: unknown;
  before: unknown;
}

/** The order of handlers per server: registries may be detached in any order. */
const layersOf = new WeakMap<SdkServer, Layer[]>();

/** Handlers of registries on servers that do not expose theirs. */
const ownHandlers = new WeakMap<SdkServer, Map<string, unknown>>();

/** The known handlers of a server by method. */
function handlersOf(server: SdkServer): Map<string, unknown> {
  if (server._requestHandlers instanceof Map) return server._requestHandlers as Map<string, unknown>;
  const own = ownHandlers.get(server) ?? new Map<string, unknown>();
  ownHandlers.set(server, own);
  return own;
}

/** Installs a handler; the returned function removes it, even from below a later one. */
export function replaceHandler(server: SdkServer, method: string, handler: SdkHandler): () => void {
  const handlers = handlersOf(server);
  const isShown = handlers === server._requestHandlers;
  const before: unknown = handlers.get(method);
  setHandler(server, method, handler);
  if (!isShown) handlers.set(method, handler);
  const layer: Layer = { method, ours: handlers.get(method), before };
  const layers = layersOf.get(server) ?? [];
  layersOf.set(server, [...layers, layer]);
  return () => {
    const others = (layersOf.get(server) ?? []).filter((other) => other !== layer);
    layersOf.set(server, others);
    const above = others.find((other) => other.method === method && other.before === layer.ours);
    if (above !== undefined) {
      above.before = layer.before;
      return;
    }
    // A handler that was installed later by other code is kept.
    if (handlers.get(method) !== layer.ours) return;
    if (layer.before === undefined) {
      handlers.delete(method);
      removeHandler(server, method);
      return;
    }
    handlers.set(method, layer.before);
    if (!isShown) setHandler(server, method, layer.before as SdkHandler);
  };
}

/** On a server that cannot remove handlers, installs one that responds like an unknown method. */
function removeHandler(server: SdkServer, method: string): void {
  if (server.removeRequestHandler === undefined)
    setHandler(server, method, () =>
      Promise.reject(new WireError({ code: JSON_RPC_METHOD_NOT_FOUND, message: 'Method not found' })),
    );
  else server.removeRequestHandler(method);
}

/** The SDK sends the members `code`, `message` and `data` of a thrown error. */
export class WireError extends Error {
  readonly code: number;
  readonly data?: unknown;

  constructor({ code, message, data }: { code: number; message: string; data?: unknown }) {
    super(message);
    this.code = code;
    if (data !== undefined) this.data = data;
  }
}

/**
 * Version 2 takes the method name, version 1 a Zod schema with the method as a literal: here an object with only the members that it reads.
 * Each version rejects the other form before it changes anything.
 */
function setHandler(server: SdkServer, method: string, handler: SdkHandler): void {
  try {
    settle(server.setRequestHandler(method, handler));
  } catch (reasonOfVersion2) {
    try {
      settle(server.setRequestHandler(requestSchemaFor(method), handler));
    } catch (reasonOfVersion1) {
      throw new ToolwrightError(
        'UNSUPPORTED_SERVER',
        `The server rejected the handler for ${method}: ${String(reasonOfVersion1)}`,
        { cause: reasonOfVersion2 },
      );
    }
  }
}

/** The return value is not used. A rejection must not end the process. */
function settle(returned: unknown): void {
  Promise.resolve(returned).catch(() => {});
}

function requestSchemaFor(method: string): object {
  const accept = (data: unknown): object => ({ success: true, data });
  return { shape: { method: { value: method } }, parse: (data: unknown) => data, safeParse: accept };
}

/** Context of a call, in one form for both versions. */
export interface SdkSurroundings {
  readonly signal: AbortSignal | undefined;
  readonly progressToken: string | number | undefined;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  readonly authInfo: SdkAuthInfo | undefined;
  readonly notify: ((notification: object) => Promise<void>) | undefined;
}

/** The verified token of a request, as passed by the SDK. */
export interface SdkAuthInfo {
  readonly token?: string;
  readonly clientId?: string;
  readonly scopes?: readonly string[];
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** Reads the second argument of a handler: `extra` in version 1, `ctx` in version 2. */
export function readSurroundings(given: unknown): SdkSurroundings {
  const surroundings = given ?? {};
  const v2 = surroundings as SurroundingsV2;
  if (v2.mcpReq !== undefined) {
    const { mcpReq, http } = v2;
    return {
      signal: mcpReq.signal,
      progressToken: mcpReq._meta?.progressToken,
      meta: mcpReq._meta,
      authInfo: http?.authInfo,
      notify: mcpReq.notify,
    };
  }
  const v1 = surroundings as SurroundingsV1;
  return {
    signal: v1.signal,
    progressToken: v1._meta?.progressToken,
    meta: v1._meta,
    authInfo: v1.authInfo,
    notify: v1.sendNotification,
  };
}

interface RequestMeta {
  readonly progressToken?: string | number;
  readonly [key: string]: unknown;
}

interface SurroundingsV1 {
  readonly signal?: AbortSignal;
  readonly _meta?: RequestMeta;
  readonly authInfo?: SdkAuthInfo;
  readonly sendNotification?: (notification: object) => Promise<void>;
}

interface SurroundingsV2 {
  readonly mcpReq?: {
    readonly signal?: AbortSignal;
    readonly _meta?: RequestMeta;
    readonly notify?: (notification: object) => Promise<void>;
  };
  readonly http?: { readonly authInfo?: SdkAuthInfo };
}
