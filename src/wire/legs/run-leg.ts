import { JSON_RPC_INTERNAL_ERROR } from '../../errors/codes.ts';
import type { ToolCall } from '../../pipeline/context/call.ts';
import { runSelected } from '../../pipeline/handle-call.ts';
import type { ToolReply } from '../../pipeline/reply/tool-reply.ts';
import type { Selected } from '../../pipeline/route.ts';
import type { CompiledTaskOptions } from '../../pipeline/tool/compiled-tool.ts';
import type { Leg, LegEnd } from '../../tasks/task-legs.ts';
import type { TaskEnd } from '../../tasks/new-task.ts';
import { INTERNAL_ERROR } from '../messages/rpc-errors.ts';
import type { Services } from '../services/services.ts';
import { LegDialogue } from '../dialogues/leg-dialogue.ts';
import type { LegWork } from '../dialogues/leg-work.ts';
import { Stopped, toTaskEnd } from './task-end.ts';

type LegServices = Pick<Services, 'clock' | 'legs' | 'limits' | 'logger' | 'tools'>;

/**
 * Runs one leg of a task in a worker: the policy is evaluated again for the caller of the call, then the call passes through the same
 * stations as every other one.
 */
export async function runLeg(services: LegServices, leg: Leg): Promise<LegEnd> {
  const { clock, legs, limits, logger, tools } = services;
  const { taskId, work: sealed = '' } = leg.record;
  const work = await legs.openWork(taskId, sealed);
  if (work === undefined || tools === undefined) {
    logger.error('a task cannot be decrypted; give all nodes the same requestStateKeys', { taskId });
    return { kind: 'error', error: INTERNAL_ERROR };
  }
  const { call, client, state, spentMs } = work;
  const responses = await legs.openResponses(taskId, leg.posted);
  const parts = { client, state, responses, answerWithinMs: limits.taskAnswerMs, clock, logger };
  const dialogue = new LegDialogue(parts);
  const begunAt = clock.now();
  const reply = await tools.handleCall(toCall(call, leg, dialogue), (selected, recorded) =>
    runUnlessLost({ selected, call: recorded, leg, spentMs }),
  );
  if (reply.kind !== 'input-required') return 'reply' in reply ? reply.reply : toTaskEnd(reply);
  await dialogue.settle();
  const next: LegWork = { ...work, state: dialogue.state, spentMs: spentMs + clock.now() - begunAt };
  return {
    kind: 'asked',
    inputRequests: dialogue.requests,
    work: await legs.sealWork(taskId, next),
    waitMs: dialogue.waitMs,
  };
}

function toCall(call: LegWork['call'], { signal, onProgress }: Leg, dialogue: LegDialogue): ToolCall {
  return { ...call, dialogue, signal, onProgress };
}

interface LegRun {
  readonly selected: Selected;
  readonly call: ToolCall;
  readonly leg: Leg;
  readonly spentMs: number;
}

/** The end of a task that was not run. */
interface NotRun {
  readonly kind: 'not-run';
  readonly reply: TaskEnd;
}

async function runUnlessLost({ selected, call, leg, spentMs }: LegRun): Promise<NotRun | ToolReply> {
  const { name, task } = selected.tool;
  const { retries, timeoutMs } = task as CompiledTaskOptions;
  // defence: retries-of-a-task
  if (leg.lostWorkers > retries) return { kind: 'not-run', reply: lost(name, retries) };
  const stopped = new Stopped();
  const limited = { ...call, timeoutMs: Math.max(1, timeoutMs - spentMs), onSettled: stopped.tell };
  return stopped.unlessCancelled(leg.signal, runSelected(selected, limited));
}

function lost(name: string, retries: number): TaskEnd {
  const message = `The worker process ended before the task, and tool "${name}" declares retries: ${retries}.`;
  return { kind: 'error', error: { code: JSON_RPC_INTERNAL_ERROR, message } };
}
