import { isPromiseLike } from '../schema/validated.ts';
import type { MaybePromise } from '../schema/validated.ts';
import { encodeError, encodeResult, encodeResultHead } from './json-rpc.ts';
import type { RequestId, RpcError } from './json-rpc.ts';
import { toFailed } from './method.ts';
import type { Incoming, KeptJson, Method, MethodReply } from './method.ts';
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

/** What both eras have, but for the calls of tools. */
const COMMON: readonly (readonly [string, Method])[] = [
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

/** The answer to a request, as it is sent. */
export interface Answer {
  readonly text: string;
  /** The HTTP status, where a revision asks for one. */
  readonly status: number;
  /** The same text, where most of it is kept as bytes. */
  readonly pieces?: Pieces;
}

/** For a request whose client has gone or has taken it back: nobody reads it. */
export const UNREAD: Answer = { text: '', status: 200 };

/** A text in two pieces, the second one as bytes. */
export interface Pieces {
  readonly head: string;
  readonly bytes: Uint8Array;
}

/**
 * Answers one request: the same for every transport and revision. What comes after it is given as `finish`, which is called once; every
 * promise on the way would be a good part of the cost of a small call. Never throws itself.
 */
export function dispatch<TEnd>(incoming: Incoming, finish: (answer: Answer) => TEnd): MaybePromise<TEnd> {
  const { served, request, exchange } = incoming;
  // Those that listen stay here: they are told what happens there.
  if (served.elsewhere !== undefined && request.method !== 'subscriptions/listen')
    return served.elsewhere(incoming).then(finish);
  // What nearly all requests are is told how to go on, and needs no promise to come back with.
  if (request.method === 'tools/call')
    return callTool(incoming, (reply) => finish(answerWith(incoming, reply)));
  const methods = exchange.revision.era === 'modern' ? MODERN_METHODS : LEGACY_METHODS;
  const method = methods.get(request.method);
  if (method === undefined) return finish(toErrorAnswer(request.id, methodNotFound(request.method)));
  let reply: MaybePromise<MethodReply>;
  try {
    reply = method(incoming);
  } catch (error) {
    return finish(answerWith(incoming, toFailed(incoming, error)));
  }
  if (!isPromiseLike(reply)) return finish(answerWith(incoming, reply));
  return reply.then(
    (settled) => finish(answerWith(incoming, settled)),
    (error: unknown) => finish(answerWith(incoming, toFailed(incoming, error))),
  );
}

function answerWith(incoming: Incoming, reply: MethodReply): Answer {
  try {
    return toAnswer(incoming.request.id, reply);
  } catch (error) {
    return toAnswer(incoming.request.id, toFailed(incoming, error));
  }
}

function toAnswer(id: RequestId, reply: MethodReply): Answer {
  if ('error' in reply) return toErrorAnswer(id, reply.error);
  if ('kept' in reply) return new KeptAnswer(id, reply.kept);
  return { text: encodeResult(id, reply.json), status: 200 };
}

/** An answer that is kept, as text or as bytes: whichever the transport sends. */
class KeptAnswer implements Answer {
  readonly status = 200;
  readonly #id: RequestId;
  readonly #kept: KeptJson;

  constructor(id: RequestId, kept: KeptJson) {
    this.#id = id;
    this.#kept = kept;
  }

  get text(): string {
    return encodeResult(this.#id, this.#kept.json);
  }

  get pieces(): Pieces {
    return { head: encodeResultHead(this.#id), bytes: this.#kept.ending };
  }
}

/** The answer to a request that cannot be served. */
export function toErrorAnswer(id: RequestId | undefined, error: RpcError): Answer {
  return { text: encodeError(id, error), status: error.status ?? 200 };
}
