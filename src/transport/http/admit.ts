import type { Caller } from '../../pipeline/policy.ts';
import type { MaybePromise } from '../../schema/validated.ts';
import { toErrorAnswer } from '../../wire/dispatch.ts';
import type { RequestId } from '../../wire/json-rpc.ts';
import type { Admitted } from '../../wire/legacy-exchange.ts';
import { busy } from '../../wire/rpc-errors.ts';
import type { Admission } from './admission.ts';
import type { HttpSink } from './http-message.ts';

/** A request that wants to come in. */
export interface Applicant<TEnd> extends Admitted<TEnd> {
  readonly id: RequestId;
  readonly caller: Caller;
  /** Where hanging up takes a request back: how to know that its client has. */
  readonly client?: Pick<HttpSink, 'onClose'>;
}

/** Answers a request as soon as there is room for it, or says that there is none. */
export function admit<TEnd>(admission: Admission, applicant: Applicant<TEnd>): MaybePromise<TEnd> {
  const hasEntered = admission.enter(applicant.caller, applicant.client);
  if (hasEntered === true) return answerAndLeave(admission, applicant);
  if (hasEntered === false) return refuse(applicant);
  return hasEntered.then((isIn) => (isIn ? answerAndLeave(admission, applicant) : refuse(applicant)));
}

function refuse<TEnd>({ id, finish }: Applicant<TEnd>): TEnd {
  return finish(toErrorAnswer(id, busy('The server is busy. Try again later.')));
}

function answerAndLeave<TEnd>(
  admission: Admission,
  { caller, answer, finish }: Applicant<TEnd>,
): MaybePromise<TEnd> {
  return answer((settled) => {
    admission.leave(caller);
    return finish(settled);
  });
}
