import { toExactText } from '../../format/exact-text.ts';
import { hash } from '../../base/hash.ts';
import { createId } from '../../base/random-id.ts';
import { CallRefusedError } from '../../errors/errors.ts';
import type { Dialogue } from '../../middleware/dialogue.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { RpcError } from '../messages/json-rpc.ts';
import { LegacyDialogue } from '../dialogues/legacy-dialogue.ts';
import { META } from '../messages/meta-keys.ts';
import type { Incoming, MethodReply } from '../services/method.ts';
import { ModernDialogue } from '../dialogues/modern-dialogue.ts';
import { ownerKey } from '../../middleware/parts/caller-identity.ts';
import { isAnonymous } from '../served/owner.ts';
import type { SealedCallState } from '../dialogues/call-state.ts';
import { busy, INTERNAL_ERROR, invalidParams } from '../messages/rpc-errors.ts';

/** A dialogue, or an error. */
export type Opened = Dialogue | { readonly error: RpcError };

/** Opens the dialogue of a request that may ask the client: tools/call, prompts/get, resources/read. */
export function openDialogue(incoming: Incoming): MaybePromise<Opened> {
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
): Promise<Opened> {
  const { services, exchange } = incoming;
  const state =
    typeof requestState === 'string'
      ? await services.sealer.open(requestState, await bindingOf(incoming))
      : undefined;
  if (state === undefined) return { error: invalidParams(INVALID_STATE) };
  if (state.round >= services.limits.maxRounds) {
    return { error: invalidParams(`Invalid params: the request has used all ${state.round} rounds.`) };
  }
  const error = await refuseUsed(incoming, state);
  return error === undefined ? new ModernDialogue(exchange, state, given) : { error };
}

/** The error of a state that was used, or whose use cannot be recorded. Last of all checks: a request that they reject uses nothing. */
async function refuseUsed(
  { services, exchange: { caller } }: Incoming,
  { id }: Partial<SealedCallState>,
): Promise<RpcError | undefined> {
  const { usedStates, introduction } = services;
  if (usedStates === undefined) return undefined;
  // Encrypted by a version without ids: it could be used again and again.
  if (id === undefined) return invalidParams(INVALID_STATE);
  try {
    const owner = ownerKey(caller, introduction.info.name);
    const isFirst = await usedStates.add({ owner, isAnonymous: isAnonymous(caller), id });
    return isFirst
      ? undefined
      : invalidParams(
          'Invalid params: requestState was used before, and each is valid once. Start again without it.',
        );
  } catch (error) {
    if (error instanceof CallRefusedError && error.code === 'STATE_FULL')
      return busy('Too many rounds of calls of this caller were accepted recently. Try again later.');
    throw error;
  }
}

const INVALID_STATE =
  'Invalid params: requestState is not valid for this request: it was changed, has expired, or belongs to another request. Start again without it.';

/** Creates the `input_required` result. */
export async function askClient(incoming: Incoming, dialogue: ModernDialogue): Promise<MethodReply> {
  const { services } = incoming;
  await dialogue.settle();
  const requestState = await services.sealer.seal(
    { ...dialogue.state, id: createId() },
    await bindingOf(incoming),
  );
  if (requestState.length > services.limits.maxStateBytes) {
    services.logger.error('the request state of a call is too large; return less from steps', {
      method: incoming.request.method,
      bytes: requestState.length,
      limit: services.limits.maxStateBytes,
    });
    return { error: { ...INTERNAL_ERROR, message: 'Internal error: the request state is too large.' } };
  }
  return {
    json: JSON.stringify({
      resultType: 'input_required',
      inputRequests: dialogue.questions,
      requestState,
      _meta: { [META.serverInfo]: services.introduction.signature },
    }),
  };
}

/** Binds a request state to this server, this caller and this request. */
async function bindingOf({ services, request, exchange }: Incoming): Promise<string> {
  const { name, uri, arguments: args = {} } = request.params ?? {};
  // Arguments without a canonical form are bound as they were sent.
  const said = toExactText(args, services.limits.maxMessageBytes) ?? JSON.stringify(args);
  return hash(
    JSON.stringify([
      // defence: owner-of-a-state
      ownerKey(exchange.caller, services.introduction.info.name),
      request.method,
      // defence: name-of-a-state
      name,
      uri,
      // defence: arguments-of-a-state
      said,
    ]),
  );
}

/** Whether the value is a dialogue and not an error. */
export function isDialogue(opened: Opened): opened is Dialogue {
  return !('error' in opened);
}
