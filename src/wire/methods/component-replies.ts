import { JSON_RPC_INVALID_REQUEST } from '../../errors/codes.ts';
import type { Dialogue } from '../../middleware/dialogue.ts';
import type { ComponentReply } from '../../pipeline/component-reply.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { Incoming, MethodReply } from '../services/method.ts';
import { ModernDialogue } from '../dialogues/modern-dialogue.ts';
import { INTERNAL_ERROR, LEGACY_RESOURCE_NOT_FOUND } from '../messages/rpc-errors.ts';
import { askClient } from './rounds.ts';

/** Reply of a prompt or a resource, with its dialogue. */
export interface ComponentAnswer<TValue> {
  readonly dialogue: Dialogue | undefined;
  readonly reply: ComponentReply<TValue>;
  readonly encode: (value: TValue) => MethodReply;
}

/** Encodes the reply of a prompt or a resource for the revision. */
export function encodeComponentReply<TValue>(
  incoming: Incoming,
  { dialogue, reply, encode }: ComponentAnswer<TValue>,
): MaybePromise<MethodReply> {
  switch (reply.kind) {
    case 'value':
      return encode(reply.value);
    case 'input-required':
      return dialogue instanceof ModernDialogue ? askClient(incoming, dialogue) : { error: INTERNAL_ERROR };
    case 'protocol-error': {
      const { message, data, reason } = reply;
      const isLegacy = incoming.exchange.revision.era === 'legacy';
      // Only for `resources/read`: an unknown reference in a completion is -32602 in all revisions.
      const isUnread = reason === 'UNKNOWN_RESOURCE' && incoming.request.method === 'resources/read';
      const isUnable = reason === 'MISSING_CLIENT_CAPABILITY';
      // Earlier revisions have no error code for this.
      if (isUnable && isLegacy) return { error: { code: JSON_RPC_INVALID_REQUEST, message } };
      const code = isUnread && isLegacy ? LEGACY_RESOURCE_NOT_FOUND : reply.code;
      const status = isUnable ? { status: 400 } : {};
      return { error: { code, message, ...(data === undefined ? {} : { data }), ...status } };
    }
    default:
      return reply satisfies never;
  }
}
