import type { McpTool } from '../model/mcp-types.ts';
import type { Principal, ProgressUpdate, ToolCall } from '../pipeline/call.ts';
import type { ToolReply } from '../pipeline/format-outcome.ts';
import type { Caller } from '../pipeline/guard.ts';
import type { ChangeListener } from './change-feed.ts';
import { wrapListedTool, wrapResult } from './legacy-output.ts';
import { declareTools, findSdkServer, readSurroundings, replaceHandler } from './sdk-server.ts';
import type { SdkAuthInfo, SdkRequest, SdkServer, SdkSurroundings } from './sdk-server.ts';

/** Takes the tools off the server again. Calling it twice does nothing. */
export type DetachFn = () => void;

/** Options of `attachToServer`. */
export interface AttachOptions<TContext extends object = object> {
  /** What handlers find in their context beyond the standard members, for calls through this server. */
  readonly context?: Partial<TContext>;
  /** Who is calling. Default: the client id and scopes of the verified token, where there is one. */
  readonly identify?: (authInfo: SdkAuthInfo | undefined) => Principal | undefined;
}

/** What attaching needs of a registry. */
interface AttachedRegistry {
  listTools(caller: Caller): readonly McpTool[];
  findTool(name: string): McpTool | undefined;
  handleCall(call: ToolCall): Promise<ToolReply>;
  onChange(listener: ChangeListener): () => void;
}

/** Answers `tools/list` and `tools/call` of an SDK server from a registry. */
export function attachToServer(registry: AttachedRegistry, given: unknown, options: AttachOptions): DetachFn {
  const server = findSdkServer(given);
  const withdrawTools = declareTools(server);
  const identify = options.identify ?? principalFrom;
  const projectsItself = typeof server.projectCallToolResult === 'function';
  const callerOf = ({ authInfo }: SdkSurroundings): Caller => ({
    accessToken: authInfo?.token,
    principal: identify(authInfo),
  });

  const restoreList = replaceHandler(server, 'tools/list', (_request, surroundings) => {
    const tools = registry.listTools(callerOf(readSurroundings(surroundings)));
    return { tools: projectsItself ? tools : tools.map(wrapListedTool) };
  });
  const restoreCall = replaceHandler(server, 'tools/call', async (request, surroundings) => {
    const around = readSurroundings(surroundings);
    const call = toCall(request, around, options);
    const reply = await registry.handleCall({ ...call, ...callerOf(around) });
    if (reply.kind === 'protocol-error') throw toWireError(reply);
    const outputSchema = registry.findTool(call.name)?.outputSchema;
    if (!projectsItself) return wrapResult(reply.result, outputSchema);
    return server.projectCallToolResult?.(reply.result, outputSchema);
  });
  const unsubscribe = announceChanges(registry, new WeakRef(server));
  collected.register(server, unsubscribe, unsubscribe);

  let isAttached = true;
  return () => {
    if (!isAttached) return;
    isAttached = false;
    unsubscribe();
    collected.unregister(unsubscribe);
    restoreCall();
    restoreList();
    withdrawTools();
  };
}

/**
 * Servers are often made per request and never detached. The registry must not keep them alive: it holds them weakly, and what is
 * left of a subscription goes when its server is collected.
 */
const collected = new FinalizationRegistry<() => void>((unsubscribe) => unsubscribe());

/** A function of its own: a closure inside `attachToServer` would hold on to the server through its scope. */
function announceChanges(registry: AttachedRegistry, attached: WeakRef<SdkServer>): () => void {
  return registry.onChange(() => {
    const server = attached.deref();
    // A client that has gone is told nothing; the server's own error callback hears of transport trouble.
    if (server?.transport !== undefined) server.sendToolListChanged?.().catch(() => {});
  });
}

function toCall({ params }: SdkRequest, around: SdkSurroundings, options: AttachOptions): ToolCall {
  const { progressToken, notify } = around;
  const onProgress =
    progressToken === undefined || notify === undefined
      ? undefined
      : (update: ProgressUpdate) =>
          notify({ method: 'notifications/progress', params: { progressToken, ...update } });
  return {
    name: String(params?.name),
    arguments: params?.arguments,
    signal: around.signal,
    onProgress,
    context: options.context,
  };
}

/** The SDK sends the members `code`, `message` and `data` of what is thrown. */
function toWireError({ code, message, data }: Extract<ToolReply, { kind: 'protocol-error' }>): Error {
  return Object.assign(new Error(message), { code, ...(data === undefined ? {} : { data }) });
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
