import type { Caller } from '../../pipeline/policy.ts';
import type { MaybePromise } from '../../schema/validated.ts';
import { toErrorAnswer } from '../../wire/dispatch.ts';
import type { RequestId } from '../../wire/json-rpc.ts';
import type { Admitted } from '../../wire/legacy-exchange.ts';
import { busy } from '../../wire/rpc-errors.ts';
import type { Admission } from './admission.ts';
import type { HttpSink } from './http-message.ts';

/** A request that wants to come in. */
export interface Applicant<TAnswer> extends Admitted<TAnswer> {
  readonly id: RequestId;
  readonly caller: Caller;
  /** Where hanging up takes a request back: how to know that its client has. */
  readonly client?: Pick<HttpSink, 'onClose'>;
}

/** Answers a request as soon as there is room for it, or says that there is none. */
export function admit<TAnswer>(admission: Admission, applicant: Applicant<TAnswer>): MaybePromise<TAnswer> {
  const hasEntered = admission.enter(applicant.caller, applicant.client);
  if (hasEntered === true) return answer(admission, applicant);
  if (hasEntered === false) return refuse(applicant);
  return hasEntered.then((isIn) => (isIn ? answer(admission, applicant) : refuse(applicant)));
}

function refuse<TAnswer>(applicant: Applicant<TAnswer>): TAnswer {
  return applicant.refuse(toErrorAnswer(applicant.id, busy('The server is busy. Try again later.')));
}

function answer<TAnswer>(admission: Admission, applicant: Applicant<TAnswer>): MaybePromise<TAnswer> {
  return applicant.answer(() => admission.leave(applicant.caller));
}
