import { canonicalJson } from '../../middleware/builtin/canonical-json.ts';
import { hash, identityOf } from '../../middleware/builtin/caller-identity.ts';
import type { ProgressUpdate } from '../../middleware/context.ts';
import type { Dialogue } from '../../middleware/dialogue.ts';
import type { ToolCall } from '../../pipeline/call.ts';
import type { Caller } from '../../pipeline/policy.ts';
import { isPromiseLike } from '../../schema/validated.ts';
import type { MaybePromise } from '../../schema/validated.ts';
import type { RpcError, RpcParams } from '../json-rpc.ts';
import { LegacyDialogue } from '../legacy-dialogue.ts';
import type { Incoming, MethodReply } from '../method.ts';
import { ModernDialogue } from '../modern-dialogue.ts';
import { invalidParams } from '../rpc-errors.ts';

/** The dialogue of a request that may ask: tools/call, prompts/get, resources/read. */
export function openDialogue(incoming: Incoming): MaybePromise<Dialogue | { readonly error: RpcError }> {
  const { exchange, request } = incoming;
  if (exchange.revision.era === 'legacy') return new LegacyDialogue(exchange);
  const { inputResponses = {}, requestState } = request.params ?? {};
  if (typeof inputResponses !== 'object' || inputResponses === null || Array.isArray(inputResponses)) {
    return { error: invalidParams('Invalid params: inputResponses must be an object.') };
  }
  const given = inputResponses as Readonly<Record<string, unknown>>;
  if (requestState === undefined) return new ModernDialogue(exchange, undefined, given);
  return reopen(incoming, requestState, given);
}

async function reopen(
  incoming: Incoming,
  requestState: unknown,
  given: Readonly<Record<string, unknown>>,
): Promise<Dialogue | { readonly error: RpcError }> {
  const { served, exchange } = incoming;
  const state =
    typeof requestState === 'string'
      ? await served.sealer.open(requestState, await bindingOf(incoming))
      : undefined;
  if (state === undefined) {
    const message =
      'Invalid params: requestState is not valid for this request: it was changed, has expired, or was given for another one. Start over without it.';
    return { error: invalidParams(message) };
  }
  if (state.round >= served.limits.maxRounds) {
    return { error: invalidParams(`Invalid params: the request asked ${state.round} times already.`) };
  }
  return new ModernDialogue(exchange, state, given);
}

/** The answer that asks the client. */
export async function askClient(incoming: Incoming, dialogue: ModernDialogue): Promise<MethodReply> {
  const { served } = incoming;
  await dialogue.settle();
  const requestState = await served.sealer.seal(dialogue.state, await bindingOf(incoming));
  if (requestState.length > served.limits.maxStateBytes) {
    served.logger.error('a call has to remember more than a client may be asked to carry', {
      method: incoming.request.method,
      bytes: requestState.length,
      limit: served.limits.maxStateBytes,
    });
    return { error: { code: -32603, message: 'Internal error: the call has too much to remember.' } };
  }
  return {
    json: JSON.stringify({
      resultType: 'input_required',
      inputRequests: dialogue.questions,
      requestState,
      _meta: { 'io.modelcontextprotocol/serverInfo': served.signature },
    }),
  };
}

/** What a sealed state is good for: this server, this caller, this request. */
async function bindingOf({ served, request, exchange }: Incoming): Promise<string> {
  const { name, uri, arguments: args = {} } = request.params ?? {};
  // Arguments that have no canonical form are bound as they were sent.
  const said = canonicalJson(args, served.limits.maxMessageBytes) ?? JSON.stringify(args);
  return hash(
    JSON.stringify([served.info.name, request.method, name, uri, ownerParts(exchange.caller), said]),
  );
}

/** Whom something belongs to, as a key that gives nothing away. */
export function ownerOf(caller: Caller): Promise<string> {
  return hash(JSON.stringify(ownerParts(caller)));
}

/** Nobody in particular, who is many: limits for one caller do not hold for them. */
export function isAnonymous({ principal, accessToken }: Caller): boolean {
  return principal === undefined && accessToken === undefined;
}

function ownerParts({ principal, accessToken }: Caller): readonly string[] {
  return identityOf({ principal, accessToken });
}

/** What every kind of call takes from its request. */
export function callParts(
  { exchange, request }: Incoming,
  dialogue: Dialogue,
): Omit<ToolCall, 'name' | 'arguments' | 'context'> {
  const meta = request.params?.['_meta'] as RpcParams | undefined;
  const token = meta?.['progressToken'];
  const isAsked = typeof token === 'string' || typeof token === 'number';
  return {
    principal: exchange.caller.principal,
    accessToken: exchange.caller.accessToken,
    signal: exchange.signal,
    meta,
    dialogue,
    onProgress: isAsked ? toProgress(exchange, token) : undefined,
  };
}

/** Progress only ever grows; what does not is not sent. */
function toProgress(
  exchange: Incoming['exchange'],
  progressToken: string | number,
): (update: ProgressUpdate) => MaybePromise<void> {
  let last = Number.NEGATIVE_INFINITY;
  let sending: PromiseLike<void> | undefined;
  return (update) => {
    // A reader that is behind gets the next one instead; what waits for it must not grow.
    if (sending !== undefined) return sending;
    if (update.progress <= last) return undefined;
    last = update.progress;
    const params = JSON.stringify({ progressToken, ...update });
    const sent = exchange.send(`{"jsonrpc":"2.0","method":"notifications/progress","params":${params}}`);
    if (!isPromiseLike(sent)) return undefined;
    const done = (): void => {
      sending = undefined;
    };
    sending = sent.then(done, done);
    return sending;
  };
}

/** Whether something is a dialogue and no error. */
export function isDialogue(opened: Dialogue | { readonly error: RpcError }): opened is Dialogue {
  return !('error' in opened);
}
