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

/** Detaches the tools from the server. Further calls do nothing. */
export type DetachFn = () => void;

/** Options of `attachToServer`. */
export interface AttachOptions<TContext extends object = object> {
  /** The members of the handlers' context beyond the standard ones, for calls through this server. */
  readonly context?: Partial<TContext>;
  /** Returns the principal of a request. Default: the client id and scopes of the verified token, if any. */
  readonly identify?: (authInfo: SdkAuthInfo | undefined) => Principal | undefined;
}

/** Requires the context if nothing else provides it. */
export interface GivenContext<TNeeds extends object> {
  /** The members of the handlers' context beyond the standard ones, for calls through this server. */
  readonly context: TNeeds;
}

/** The parts of a registry that attaching needs. */
interface AttachedRegistry {
  readonly logger: Logger;
  listTools(caller: Caller): readonly McpTool[];
  findTool(name: string, caller: Caller): McpTool | undefined;
  handleCall(call: ToolCall): Promise<ToolReply>;
  onChange(listener: ChangeListener): () => void;
  watch(): ListWatch;
}

/** The last caller of a server. */
interface LastSeen {
  caller: Caller;
}

/** Serves `tools/list` and `tools/call` of an SDK server from a registry. */
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
  // Version 2 converts the result to the protocol revision of the connection itself.
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
    // Read before the call: the tool may be removed meanwhile, and its result must match the advertised schema.
    const outputSchema = registry.findTool(call.name, caller)?.outputSchema;
    const reply = await registry.handleCall({ ...call, ...caller });
    // Through the SDK the client cannot be asked, so the model gets the message.
    if (reply.kind === 'protocol-error' && reply.reason === 'MISSING_CLIENT_CAPABILITY')
      return toErrorResult(reply, new ErrorHandler({ logger: registry.logger }));
    if (reply.kind === 'protocol-error') throw toWireError(reply);
    if (reply.kind !== 'result') throw new WireError(INTERNAL_ERROR);
    const result = outputSchema === undefined ? withoutUnannounced(reply.result) : reply.result;
    return server.projectCallToolResult?.(result, outputSchema) ?? wrapResult(result, outputSchema);
  };
}

/** Logs errors. The SDK would send the message of a thrown error to the client. */
function guarded({ logger }: AttachedRegistry, handler: SdkHandler): SdkHandler {
  return async (request, surroundings) => {
    try {
      return await handler(request, surroundings);
    } catch (error) {
      if (error instanceof WireError) throw error;
      logger.error('a request failed', { error: toLoggedError(error) });
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
  // Not awaited; a rejection must not end the process.
  if (isPromiseLike(found)) found.then(undefined, () => {});
  const principal = readPrincipal(found, { name: 'identify', otherwise: 'undefined' }, logger);
  if (principal === 'invalid') throw new WireError(INTERNAL_ERROR);
  return { accessToken: authInfo?.token, principal };
}

/**
 * Servers are often created per request and never detached. The registry holds them weakly, and a subscription ends when its server is
 * garbage-collected.
 */
const collected = new FinalizationRegistry<() => void>((unsubscribe) => unsubscribe());

/** A separate function: a closure inside `attachToServer` would keep the server alive through its scope. */
function announceChanges(
  registry: AttachedRegistry,
  attached: WeakRef<SdkServer>,
  seen: LastSeen,
): () => void {
  const isOther = registry.watch();
  let isOver = false;
  const announce = async (): Promise<void> => {
    const server = attached.deref();
    // Changes that are invisible to the caller are not announced, because they would reveal hidden tools.
    if (isOver || !isOther(seen.caller) || server === undefined) return;
    // An SDK server without a transport has no client; other servers decide themselves.
    if ('transport' in server && server.transport === undefined) return;
    await server.sendToolListChanged?.();
  };
  // A disconnected client needs no notification; the server's error callback receives transport errors.
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
