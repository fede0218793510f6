import { toErrorAnswer } from '../../../wire/messages/answer.ts';
import type { Answer } from '../../../wire/messages/answer.ts';
import type { Applicant } from '../../../wire/sessions/duplex-connection.ts';
import { busy } from '../../../wire/messages/rpc-errors.ts';
import type { Admission } from './admission.ts';
import type { HttpSink } from '../message/http-message.ts';

/**
 * Answers a request as soon as there is room for it, or says that there is none. Where hanging up takes a request back, `client` tells that
 * it has.
 */
export async function admit(
  admission: Admission,
  { id, caller, answer }: Applicant,
  client?: Pick<HttpSink, 'onClose'>,
): Promise<Answer> {
  const hasEntered = await admission.enter(caller, client);
  if (!hasEntered) return toErrorAnswer(id, busy('The server is busy. Try again later.'));
  try {
    return await answer();
  } finally {
    admission.leave(caller);
  }
}
