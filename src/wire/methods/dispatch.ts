import { KeptAnswer, toErrorAnswer, toResultAnswer } from '../messages/answer.ts';
import type { Answer } from '../messages/answer.ts';
import type { RequestId } from '../messages/json-rpc.ts';
import { toFailed } from '../services/method.ts';
import type { Incoming, Method, MethodReply } from '../services/method.ts';
import { getSkill, listSkills, readDirectory } from '../skills/skills.ts';
import { callTool } from './call-tool.ts';
import { complete } from './completion.ts';
import { discover } from './discover.ts';
import { ping, setLevel } from './legacy.ts';
import { listPrompts, listResources, listResourceTemplates, listTools } from './lists.ts';
import { getPrompt } from './prompts.ts';
import { readResource, subscribe, unsubscribe } from './resources.ts';
import { listen } from './subscriptions.ts';
import { cancelTask, getTask, updateTask } from './tasks.ts';
import { methodNotFound } from '../messages/rpc-errors.ts';

/** Methods of both eras. */
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

/** Methods of 2026-07-28 and of the supported extensions. */
const MODERN_METHODS: ReadonlyMap<string, Method> = new Map([
  ...COMMON,
  ['server/discover', discover],
  ['subscriptions/listen', listen],
  ['tasks/get', getTask],
  ['tasks/update', updateTask],
  ['tasks/cancel', cancelTask],
  ['skills/list', listSkills],
  ['skills/get', getSkill],
  ['resources/directory/read', readDirectory],
]);

/** Methods of earlier revisions, except the handshake, which the transport handles. */
const LEGACY_METHODS: ReadonlyMap<string, Method> = new Map([
  ...COMMON,
  ['ping', ping],
  ['logging/setLevel', setLevel],
  ['resources/subscribe', subscribe],
  ['resources/unsubscribe', unsubscribe],
]);

/** Handles one request, for every transport and revision. Never rejects. */
// defence: own-exchange
export function dispatch(incoming: Incoming): Promise<Answer> {
  const { request, exchange } = incoming;
  const methods = exchange.revision.era === 'modern' ? MODERN_METHODS : LEGACY_METHODS;
  // defence: table-of-methods
  const method = methods.get(request.method) ?? unknownMethod;
  return answerWith(method, incoming);
}

const unknownMethod: Method = ({ request }) => ({ error: methodNotFound(request.method) });

/** Handles a request with this method. Never rejects. */
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
