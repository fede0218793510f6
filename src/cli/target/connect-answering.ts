import { systemClock } from '../../base/time/clock.ts';
import { completeCall } from '../../client/complete-call.ts';
import type { AskingRequest, CompleteCallOptions } from '../../client/complete-call.ts';
import { textFlags } from '../terminal/command.ts';
import type { CommandCall, Flag } from '../terminal/command.ts';
import { Answers } from './answers.ts';
import { connectTarget } from './target.ts';
import type { ConnectedTarget, TargetOptions } from './target.ts';

/** The flag of commands that answer elicitation. */
export const ANSWER_FLAGS: Readonly<Record<string, Flag>> = {
  answer: {
    type: 'string',
    value: 'name=value',
    isMultiple: true,
    description:
      'Answers what the server asks: a field of its form. In a terminal you are asked for the others',
  },
};

/** A server whose questions are answered. */
export interface AnsweringTarget extends ConnectedTarget {
  /** Whether elicitation is declared: there is a terminal, or `--answer`. */
  readonly canAnswer: boolean;
  /** Sends a request until its result is there. */
  readonly complete: (
    request: AskingRequest,
    options?: Pick<CompleteCallOptions, 'onProgress' | 'onTask'>,
  ) => Promise<Readonly<Record<string, unknown>>>;
}

/** Connects to the server that a command line names. Elicitation is answered with `--answer`, and in the terminal. */
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
