import type { Caller } from '../../pipeline/policy.ts';
import { isPromiseLike } from '../../schema/validated.ts';
import type { MaybePromise } from '../../schema/validated.ts';
import { toErrorAnswer } from '../../wire/dispatch.ts';
import type { Answer } from '../../wire/dispatch.ts';
import type { RequestId } from '../../wire/json-rpc.ts';
import { busy } from '../../wire/rpc-errors.ts';
import type { Admission } from './admission.ts';
import type { HttpSink } from './http-message.ts';

/** A request that wants to come in. */
export interface Applicant<TAnswer> {
  readonly id: RequestId;
  readonly caller: Caller;
  /** Where hanging up takes a request back: how to know that its client has. */
  readonly client?: Pick<HttpSink, 'onClose'>;
  readonly answer: () => MaybePromise<TAnswer>;
}

/** Answers a request as soon as there is room for it, or says that there is none. */
export function admit<TAnswer>(
  admission: Admission,
  applicant: Applicant<TAnswer>,
): MaybePromise<TAnswer | Answer> {
  const hasEntered = admission.enter(applicant.caller, applicant.client);
  if (hasEntered === true) return answerAndLeave(admission, applicant);
  if (hasEntered === false) return refuse(applicant.id);
  return hasEntered.then((isIn) => (isIn ? answerAndLeave(admission, applicant) : refuse(applicant.id)));
}

function refuse(id: RequestId): Answer {
  return toErrorAnswer(id, busy('The server is busy. Try again later.'));
}

function answerAndLeave<TAnswer>(
  admission: Admission,
  { caller, answer }: Applicant<TAnswer>,
): MaybePromise<TAnswer> {
  const leave = (): void => admission.leave(caller);
  try {
    const answered = answer();
    if (isPromiseLike(answered)) {
      answered.then(leave, leave);
      return answered;
    }
    leave();
    return answered;
  } catch (error) {
    leave();
    throw error;
  }
}
