import { KeptAnswer, toErrorAnswer, toResultAnswer } from './answer.ts';
import type { Answer } from './answer.ts';
import type { RequestId } from './json-rpc.ts';
import { toFailed } from './method.ts';
import type { Incoming, Method, MethodReply } from './method.ts';
import { callTool } from './methods/call-tool.ts';
import { complete } from './methods/completion.ts';
import { discover } from './methods/discover.ts';
import { ping, setLevel } from './methods/legacy.ts';
import { listPrompts, listResources, listResourceTemplates, listTools } from './methods/lists.ts';
import { getPrompt } from './methods/prompts.ts';
import { readResource, subscribe, unsubscribe } from './methods/resources.ts';
import { listen } from './methods/subscriptions.ts';
import { cancelTask, getTask, updateTask } from './methods/tasks.ts';
import { methodNotFound } from './rpc-errors.ts';

/** What both eras have. */
const COMMON: readonly (readonly [string, Method])[] = [
  ['tools/call', callTool],
  ['tools/list', listTools],
  ['prompts/get', getPrompt],
  ['prompts/list', listPrompts],
  ['resources/read', readResource],
  ['resources/list', listResources],
  ['resources/templates/list', listResourceTemplates],
  ['completion/complete', complete],
];

/** The methods of 2026-07-28 and the extensions that are served. */
const MODERN_METHODS: ReadonlyMap<string, Method> = new Map([
  ...COMMON,
  ['server/discover', discover],
  ['subscriptions/listen', listen],
  ['tasks/get', getTask],
  ['tasks/update', updateTask],
  ['tasks/cancel', cancelTask],
]);

/** The methods of earlier revisions, but for the handshake, which belongs to the transport. */
const LEGACY_METHODS: ReadonlyMap<string, Method> = new Map([
  ...COMMON,
  ['ping', ping],
  ['logging/setLevel', setLevel],
  ['resources/subscribe', subscribe],
  ['resources/unsubscribe', unsubscribe],
]);

/** Answers one request: the same for every transport and revision. Never rejects. */
export async function dispatch(incoming: Incoming): Promise<Answer> {
  const { request, exchange } = incoming;
  const methods = exchange.revision.era === 'modern' ? MODERN_METHODS : LEGACY_METHODS;
  const method = methods.get(request.method);
  if (method === undefined) return toErrorAnswer(request.id, methodNotFound(request.method));
  return answerWith(method, incoming);
}

/** Answers a request with this method. Never rejects. */
export async function answerWith<TServices extends Pick<Incoming['services'], 'logger'>>(
  method: Method<TServices>,
  incoming: Incoming<TServices>,
): Promise<Answer> {
  const { id } = incoming.request;
  try {
    return toAnswer(id, await method(incoming));
  } catch (error) {
    return toAnswer(id, toFailed(incoming, error));
  }
}

function toAnswer(id: RequestId, reply: MethodReply): Answer {
  if ('error' in reply) return toErrorAnswer(id, reply.error);
  return 'kept' in reply ? new KeptAnswer(id, reply.kept) : toResultAnswer(id, reply.json);
}
