import { systemClock } from '../../base/time/clock.ts';
import { completeCall } from '../../client/complete-call.ts';
import type { AskingRequest, CompleteCallOptions } from '../../client/complete-call.ts';
import { textFlags } from '../terminal/command.ts';
import type { CommandCall, Flag } from '../terminal/command.ts';
import { Answers } from './answers.ts';
import { connectTarget } from './target.ts';
import type { ConnectedTarget, TargetOptions } from './target.ts';

/** Flag of commands that answer elicitation requests. */
export const ANSWER_FLAGS: Readonly<Record<string, Flag>> = {
  answer: {
    type: 'string',
    value: 'name=value',
    isMultiple: true,
    description:
      'Answer to a field of an elicitation form. In a terminal, you are asked for the other fields',
  },
};

/** A connected server whose elicitation requests are answered. */
export interface AnsweringTarget extends ConnectedTarget {
  /** Whether the elicitation capability is declared: in a terminal, or with `--answer`. */
  readonly canAnswer: boolean;
  /** Sends a request, answers its elicitation requests, and waits for its result. */
  readonly complete: (
    request: AskingRequest,
    options?: Pick<CompleteCallOptions, 'onProgress' | 'onTask'>,
  ) => Promise<Readonly<Record<string, unknown>>>;
}

/** Connects to the target of a command. Elicitation is answered from `--answer` and from the terminal. */
export async function connectAnswering(
  call: CommandCall,
  options: Pick<TargetOptions, 'maxWords'> & { readonly extensions?: Readonly<Record<string, object>> } = {},
): Promise<AnsweringTarget> {
  const { extensions, ...rest } = options;
  const answers = new Answers(call.terminal, textFlags(call, 'answer'));
  const answerers = { 'elicitation/create': answers.elicit };
  const capabilities = {
    ...(extensions === undefined ? {} : { extensions }),
    ...(answers.canAnswer ? { elicitation: { form: {}, url: {} } } : {}),
  };
  const connected = await connectTarget(call, { ...rest, client: { answerers, capabilities } });
  return {
    ...connected,
    canAnswer: answers.canAnswer,
    complete: (request, more) =>
      completeCall(connected.client, request, { answerers, clock: systemClock, ...more }),
  };
}
