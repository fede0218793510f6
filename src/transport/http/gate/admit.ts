import { toErrorAnswer } from '../../../wire/messages/answer.ts';
import type { Answer } from '../../../wire/messages/answer.ts';
import type { RequestId } from '../../../wire/messages/json-rpc.ts';
import { busy } from '../../../wire/messages/rpc-errors.ts';
import type { Admission } from './admission.ts';
import type { HttpSink } from '../message/http-message.ts';

/** A request to admit. */
export interface Admitted {
  readonly id: RequestId;
  /** Key of the caller; undefined for anonymous callers. */
  readonly owner: string | undefined;
  /** Handles the request. Never rejects. */
  readonly answer: () => Promise<Answer>;
}

/** Handles a request once it is admitted, or rejects it with `BUSY`. `client` is given if disconnecting cancels the request. */
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
