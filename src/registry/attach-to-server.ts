import { JSON_RPC_INTERNAL_ERROR } from '../errors/codes.ts';
import { ErrorHandler } from '../errors/error-handler.ts';
import { toLoggedError } from '../errors/log-thrown.ts';
import type { Logger } from '../errors/logger.ts';
import type { McpTool } from '../model/mcp-types.ts';
import type { Principal, ProgressUpdate } from '../middleware/context.ts';
import type { ToolCall } from '../pipeline/context/call.ts';
import { toErrorResult } from '../pipeline/reply/error-result.ts';
import type { ToolReply } from '../pipeline/reply/tool-reply.ts';
import type { Caller } from '../pipeline/tool/policy.ts';
import { readPrincipal } from '../pipeline/tool/read-principal.ts';
import type { ListWatch } from '../pipeline/visibility/visibility-change.ts';
import { coalesce } from '../base/coalesce.ts';
import { isPromiseLike } from '../base/maybe-promise.ts';
import type { ChangeListener } from '../tools/components/registry-change.ts';
import { withoutUnannounced, wrapListedTool, wrapResult } from './legacy-output.ts';
import { declareTools, findSdkServer, readSurroundings, replaceHandler, WireError } from './sdk-server.ts';
import type { SdkAuthInfo, SdkHandler, SdkRequest, SdkServer, SdkSurroundings } from './sdk-server.ts';

/** Takes the tools off the server again. Calling it twice does nothing. */
export type DetachFn = () => void;

/** Options of `attachToServer`. */
export interface AttachOptions<TContext extends object = object> {
  /** The members of the handlers' context beyond the standard ones, for calls through this server. */
  readonly context?: Partial<TContext>;
  /** Who is calling. Default: the client id and scopes of the verified token, where there is one. */
  readonly identify?: (authInfo: SdkAuthInfo | undefined) => Principal | undefined;
}

/** Where nothing else gives the context, it has to be given here. */
export interface GivenContext<TNeeds extends object> {
  /** The members of the handlers' context beyond the standard ones, for calls through this server. */
  readonly context: TNeeds;
}

/** What attaching needs of a registry. */
interface AttachedRegistry {
  readonly logger: Logger;
  listTools(caller: Caller): readonly McpTool[];
  findTool(name: string, caller: Caller): McpTool | undefined;
  handleCall(call: ToolCall): Promise<ToolReply>;
  onChange(listener: ChangeListener): () => void;
  watch(): ListWatch;
}

/** Who was last seen at a server. */
interface LastSeen {
  caller: Caller;
}

/** Answers `tools/list` and `tools/call` of an SDK server from a registry. */
export function attachToServer(registry: AttachedRegistry, given: unknown, options: AttachOptions): DetachFn {
  const server = findSdkServer(given);
  const seen: LastSeen = { caller: {} };
  const undo = [declareTools(server)];
  const detach = (): void => {
    for (const step of undo.splice(0).toReversed()) step();
  };
  try {
    const identify = (around: SdkSurroundings): Caller =>
      (seen.caller = callerFrom(around, options, registry.logger));
    const parts = { registry, server, options, identify };
    undo.push(replaceHandler(server, 'tools/list', guarded(registry, createListHandler(parts))));
    undo.push(replaceHandler(server, 'tools/call', guarded(registry, createCallHandler(parts))));
  } catch (error) {
    detach();
    throw error;
  }
  const unsubscribe = announceChanges(registry, new WeakRef(server), seen);
  collected.register(server, unsubscribe, unsubscribe);
  undo.push(unsubscribe, () => collected.unregister(unsubscribe));
  return detach;
}

interface HandlerParts {
  readonly registry: AttachedRegistry;
  readonly server: SdkServer;
  readonly options: AttachOptions;
  readonly identify: (around: SdkSurroundings) => Caller;
}

function createListHandler({ registry, server, identify }: HandlerParts): SdkHandler {
  // Version 2 fits the list to the protocol of the connection by itself.
  const projectsItself = typeof server.projectCallToolResult === 'function';
  return (_request, surroundings) => {
    const tools = registry.listTools(identify(readSurroundings(surroundings)));
    return { tools: projectsItself ? tools : tools.map(wrapListedTool) };
  };
}

function createCallHandler({ registry, server, options, identify }: HandlerParts): SdkHandler {
  return async (request, surroundings) => {
    const around = readSurroundings(surroundings);
    const call = toCall(request, around, options);
    const caller = identify(around);
    // Read before the call: the tool may be gone when it returns, and its result must still fit what was advertised.
    const outputSchema = registry.findTool(call.name, caller)?.outputSchema;
    const reply = await registry.handleCall({ ...call, ...caller });
    // Through the SDK nobody can be asked; the model reads about it.
    if (reply.kind === 'protocol-error' && reply.reason === 'MISSING_CLIENT_CAPABILITY')
      return toErrorResult(reply, new ErrorHandler({ logger: registry.logger }));
    if (reply.kind === 'protocol-error') throw toWireError(reply);
    if (reply.kind !== 'result') throw new WireError(INTERNAL_ERROR);
    const result = outputSchema === undefined ? withoutUnannounced(reply.result) : reply.result;
    return server.projectCallToolResult?.(result, outputSchema) ?? wrapResult(result, outputSchema);
  };
}

/** What goes wrong in here is told to the log. The SDK would send the message of a thrown error to the client. */
function guarded({ logger }: AttachedRegistry, handler: SdkHandler): SdkHandler {
  return async (request, surroundings) => {
    try {
      return await handler(request, surroundings);
    } catch (error) {
      if (error instanceof WireError) throw error;
      logger.error('a request could not be answered', { error: toLoggedError(error) });
      throw new WireError(INTERNAL_ERROR);
    }
  };
}

function callerFrom(
  { authInfo }: SdkSurroundings,
  { identify = principalFrom }: AttachOptions,
  logger: Logger,
): Caller {
  const found: unknown = identify(authInfo);
  // Not waited for; if it is a rejection, it must not end the process.
  if (isPromiseLike(found)) found.then(undefined, () => {});
  const principal = readPrincipal(found, { name: 'identify', otherwise: 'undefined' }, logger);
  if (principal === 'invalid') throw new WireError(INTERNAL_ERROR);
  return { accessToken: authInfo?.token, principal };
}

/**
 * Servers are often made per request and never detached. The registry must not keep them alive: it holds them weakly, and what is
 * left of a subscription goes when its server is collected.
 */
const collected = new FinalizationRegistry<() => void>((unsubscribe) => unsubscribe());

/** A function of its own: a closure inside `attachToServer` would hold on to the server through its scope. */
function announceChanges(
  registry: AttachedRegistry,
  attached: WeakRef<SdkServer>,
  seen: LastSeen,
): () => void {
  const isOther = registry.watch();
  let isOver = false;
  const announce = async (): Promise<void> => {
    const server = attached.deref();
    // A change that its caller cannot see would tell it of what is hidden.
    if (isOver || !isOther(seen.caller) || server === undefined) return;
    // Nobody is connected to an SDK server without a transport; other servers know for themselves.
    if ('transport' in server && server.transport === undefined) return;
    await server.sendToolListChanged?.();
  };
  // A client that has gone is told nothing; the server's own error callback hears of transport trouble.
  const unsubscribe = registry.onChange(coalesce(() => void announce().catch(() => {})));
  return () => {
    isOver = true;
    unsubscribe();
  };
}

function toCall({ params }: SdkRequest, around: SdkSurroundings, options: AttachOptions): ToolCall {
  const { progressToken, notify } = around;
  const onProgress =
    progressToken === undefined || notify === undefined
      ? undefined
      : (update: ProgressUpdate) =>
          notify({ method: 'notifications/progress', params: { ...update, progressToken } });
  return {
    name: String(params?.name),
    arguments: params?.arguments,
    signal: around.signal,
    meta: around.meta,
    onProgress,
    context: options.context,
  };
}

const INTERNAL_ERROR = { code: JSON_RPC_INTERNAL_ERROR, message: 'Internal error' };

function toWireError({ code, message, data }: Extract<ToolReply, { kind: 'protocol-error' }>): WireError {
  return new WireError({ code, message, data });
}

function principalFrom(authInfo: SdkAuthInfo | undefined): Principal | undefined {
  if (authInfo?.clientId === undefined) return undefined;
  const { clientId, scopes, extra } = authInfo;
  return {
    id: clientId,
    ...(scopes === undefined ? {} : { scopes }),
    ...(extra === undefined ? {} : { claims: extra }),
  };
}
