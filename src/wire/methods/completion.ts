import type { CompletionRequest } from '../../prompts/completion.ts';
import { toReply } from '../services/method.ts';
import type { Incoming, Method, MethodReply } from '../services/method.ts';
import { invalidParams, methodNotFound } from '../messages/rpc-errors.ts';
import { encodeComponentReply } from './component-replies.ts';

/** `completion/complete`. */
export const complete: Method = async (incoming): Promise<MethodReply> => {
  const { services, request } = incoming;
  const read = readRequest(incoming);
  if ('error' in read) return read;
  if (services.prompts === undefined && services.resources === undefined)
    return { error: methodNotFound(request.method) };
  const source = read.kind === 'ref/prompt' ? services.prompts : services.resources;
  if (source === undefined) {
    const what = read.kind === 'ref/prompt' ? 'Unknown prompt' : 'Resource not found';
    return { error: invalidParams(`${what}: ${read.wanted.ref.slice(0, 128)}`) };
  }
  const reply = await source.complete(read.wanted);
  return encodeComponentReply(incoming, {
    dialogue: undefined,
    reply,
    encode: (completion) => toReply(incoming, { completion }),
  });
};

type Read =
  | { readonly kind: string; readonly wanted: CompletionRequest }
  | Extract<MethodReply, { error: unknown }>;

function readRequest({ request, exchange }: Incoming): Read {
  const { ref, argument, context } = (request.params ?? {}) as {
    ref?: { type?: unknown; name?: unknown; uri?: unknown } | null;
    argument?: { name?: unknown; value?: unknown } | null;
    context?: { arguments?: unknown } | null;
  };
  const isPrompt = ref?.type === 'ref/prompt';
  const target = isPrompt ? ref.name : ref?.uri;
  if ((!isPrompt && ref?.type !== 'ref/resource') || typeof target !== 'string') {
    const message =
      'Invalid params: ref must be { type: "ref/prompt", name } or { type: "ref/resource", uri }.';
    return { error: invalidParams(message) };
  }
  if (typeof argument?.name !== 'string' || typeof argument.value !== 'string')
    return { error: invalidParams('Invalid params: argument must be { name, value }, both strings.') };
  return {
    kind: isPrompt ? 'ref/prompt' : 'ref/resource',
    wanted: {
      ...exchange.caller,
      ref: target,
      argument: argument.name,
      value: argument.value,
      arguments: textsOf(context?.arguments),
      cancellation: exchange.cancellation,
      meta: request.params?.['_meta'] as Readonly<Record<string, unknown>> | undefined,
    },
  };
}

function textsOf(given: unknown): Record<string, string> {
  const entries = typeof given === 'object' && given !== null ? Object.entries(given) : [];
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
