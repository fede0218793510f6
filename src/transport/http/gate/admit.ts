import { toErrorAnswer } from '../../../wire/messages/answer.ts';
import type { Answer } from '../../../wire/messages/answer.ts';
import type { RequestId } from '../../../wire/messages/json-rpc.ts';
import { busy } from '../../../wire/messages/rpc-errors.ts';
import type { Admission } from './admission.ts';
import type { HttpSink } from '../message/http-message.ts';

/** A request that wants to come in. */
export interface Admitted {
  readonly id: RequestId;
  /** The key of its caller; undefined for anonymous ones. */
  readonly owner: string | undefined;
  /** Answers it. Never rejects. */
  readonly answer: () => Promise<Answer>;
}

/**
 * Answers a request as soon as there is room for it, or says that there is none. Where hanging up takes a request back, `client` tells that
 * it has.
 */
export async function admit(
  admission: Admission,
  { id, owner, answer }: Admitted,
  client?: Pick<HttpSink, 'onClose'>,
): Promise<Answer> {
  const hasEntered = await admission.enter(owner, client);
  if (!hasEntered) return toErrorAnswer(id, busy('The server is busy. Try again later.'));
  try {
    return await answer();
  } finally {
    admission.leave(owner);
  }
}
