import type { ProgressUpdate } from '../../middleware/context.ts';
import type { ClientDescription, Question } from '../../middleware/dialogue.ts';
import type { ToolCall } from '../../pipeline/context/call.ts';
import type { CompiledTaskOptions } from '../../pipeline/tool/compiled-tool.ts';
import { createErrorResult } from '../../pipeline/reply/error-result.ts';
import { runSelected } from '../../pipeline/handle-call.ts';
import type { Selected } from '../../pipeline/route.ts';
import type { ToolReply } from '../../pipeline/reply/tool-reply.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { TaskRecord } from '../../stores/task-store.ts';
import type { TaskEnd } from '../../tasks/task-runner.ts';
import { META } from '../messages/meta-keys.ts';
import type { Incoming, MethodReply } from '../services/method.ts';
import { NO_STATE } from '../dialogues/leg-work.ts';
import type { LegState, LegWork } from '../dialogues/leg-work.ts';
import { Stopped, toTaskEnd } from '../legs/task-end.ts';
import { ModernDialogue } from '../dialogues/modern-dialogue.ts';
import { InputPendingError } from '../../errors/errors.ts';
import { codeOf } from '../../middleware/parts/call-outcome.ts';
import { toRefusal } from '../services/refusal.ts';
import type { Introduction } from '../served/introduction.ts';
import { taskStateOf } from '../services/task-state.ts';
import { isAnonymous, ownerOf } from '../served/owner.ts';
import { askClient } from './rounds.ts';

/** A call that may run as a task. */
export interface TaskCall {
  readonly incoming: Incoming;
  readonly selected: Selected;
  readonly call: ToolCall;
}

/** Runs a call as a task from the beginning: the client gets the task and polls for the result. `state`: of the runs before, for a worker. */
export async function callAsTask(
  { incoming, selected, call }: TaskCall,
  state: LegState = NO_STATE,
): Promise<MethodReply> {
  const { services, exchange } = incoming;
  const { pollIntervalMs, timeoutMs } = selected.tool.task as CompiledTaskOptions;
  try {
    const record = await services.tasks.start({
      owner: await ownerOf(exchange.caller, services.introduction.info.name),
      isAnonymous: isAnonymous(exchange.caller),
      pollIntervalMs,
      client: exchange.client,
      toWork: (taskId) => services.legs.sealWork(taskId, toWork(call, exchange.client, state)),
      run: async ({ dialogue, signal, onProgress }) => {
        const stopped = new Stopped();
        const cancellation = undefined;
        // A task may outlive the connection.
        const around = {
          dialogue,
          signal,
          cancellation,
          room: undefined,
          onProgress,
          timeoutMs,
          onSettled: stopped.tell,
        };
        return toTaskEnd(
          await stopped.unlessCancelled(signal, runSelected(selected, { ...call, ...around })),
        );
      },
    });
    return { json: encodeCreated(services.introduction, record) };
  } catch (error) {
    call.onEnded?.({ name: selected.tool.name, outcome: 'error', code: codeOf(error) });
    return { error: toRefusal(services, error) };
  }
}

/** Runs a call that may ask the client first and become a task when its handler calls `startTask`. A tool reply means that it did not. */
export async function callThatMayBecomeTask(parts: TaskCall): Promise<MethodReply | ToolReply> {
  const { incoming, selected, call } = parts;
  const { timeoutMs } = selected.tool.task as CompiledTaskOptions;
  const dialogue = new TaskableDialogue(parts);
  const stopped = new Stopped();
  // defence: deadline-of-a-task
  const deadline = startDeadline(parts, dialogue);
  const around: ToolCall = {
    ...call,
    dialogue,
    timeoutMs,
    signal: dialogue.signal,
    cancellation: undefined,
    room: undefined,
    onSettled: stopped.tell,
    onProgress: (update) => dialogue.report(update),
  };
  const ended = runSelected(selected, around);
  dialogue.end(stopped.unlessCancelled(dialogue.signal, ended).then(toTaskEnd));
  const reply = await Promise.race([dialogue.started, ended, deadline.passed]);
  deadline.cancel();
  if ('taskId' in reply) return { json: encodeCreated(incoming.services.introduction, reply) };
  dialogue.stopFollowing();
  if (reply.kind !== 'input-required') return reply;
  return dialogue.isHandedOver ? handOver(parts, dialogue) : askClient(incoming, dialogue);
}

/** Lets a worker continue a call: it runs the handler again, with the recorded responses and steps. */
async function handOver(parts: TaskCall, dialogue: TaskableDialogue): Promise<MethodReply> {
  await dialogue.settle();
  const { answers, steps } = dialogue.state;
  return callAsTask(parts, { ...NO_STATE, answers, steps, keys: Object.keys(answers) });
}

/** Until a call is a task, the tool's own deadline applies: the client waits for the response. */
function startDeadline(
  { incoming, selected }: TaskCall,
  dialogue: TaskableDialogue,
): { readonly passed: Promise<ToolReply>; readonly cancel: () => void } {
  const { tool } = selected;
  const { clock, errorHandler } = incoming.services;
  let cancel: () => void = () => {};
  const passed = new Promise<ToolReply>((resolve) => {
    cancel = clock.schedule(() => {
      const { timeoutMs } = tool;
      const message = `Tool '${tool.name}' did not finish within ${timeoutMs} ms and was stopped.`;
      // Before the call is cancelled, whose outcome is then ignored.
      resolve({ kind: 'result', result: createErrorResult(errorHandler, { code: 'TIMED_OUT', message }) });
      dialogue.stop(new DOMException(`The tool did not finish within ${timeoutMs} ms`, 'TimeoutError'));
    }, tool.timeoutMs);
  });
  return { passed, cancel };
}

/** A dialogue that begins in rounds of requests and continues as that of a task. */
class TaskableDialogue extends ModernDialogue {
  readonly started: Promise<TaskRecord>;
  readonly #parts: TaskCall;
  readonly #controller = new AbortController();
  /** Whether the handler has called `startTask`, and a queue has the tasks. */
  #isStopped = false;
  #resolveStarted: (record: TaskRecord) => void = () => {};
  #ended: Promise<TaskEnd> | undefined;
  #task: { put: ModernDialogue['put']; onProgress: (update: ProgressUpdate) => void } | undefined;

  constructor(parts: TaskCall) {
    const { incoming, call } = parts;
    const before = call.dialogue as ModernDialogue;
    super(incoming.exchange, before.before, before.given);
    this.#parts = parts;
    this.started = new Promise((resolve) => {
      this.#resolveStarted = resolve;
    });
    incoming.exchange.cancellation.onCancel(this.#follow);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  override get isPending(): boolean {
    return this.#isStopped || super.isPending;
  }

  /** Whether the handler was stopped so that a worker continues the call. Open questions come first. */
  get isHandedOver(): boolean {
    return this.#isStopped && !super.isPending;
  }

  end(ended: Promise<TaskEnd>): void {
    this.#ended = ended;
  }

  stop(reason: unknown): void {
    this.#controller.abort(reason);
  }

  override put(name: string, question: Question): Promise<unknown> {
    return this.#task === undefined ? super.put(name, question) : this.#task.put(name, question);
  }

  override async startTask(): Promise<void> {
    if (this.#task !== undefined || this.isPending) return;
    const { incoming, selected } = this.#parts;
    if (incoming.services.tasks.isQueued) {
      this.#isStopped = true;
      throw new InputPendingError('startTask');
    }
    // Deferred: the handler gets here only after its call has started.
    const end = Promise.resolve().then(() => this.#ended as Promise<TaskEnd>);
    const { record, dialogue, onProgress } = await incoming.services.tasks.adopt({
      owner: await ownerOf(incoming.exchange.caller, incoming.services.introduction.info.name),
      isAnonymous: isAnonymous(incoming.exchange.caller),
      pollIntervalMs: (selected.tool.task as CompiledTaskOptions).pollIntervalMs,
      client: incoming.exchange.client,
      abort: (reason) => this.#controller.abort(reason),
      end,
    });
    // The request has its response now; closing its connection does not cancel the task.
    this.stopFollowing();
    this.#task = { put: (name, question) => dialogue.put(name, question), onProgress };
    this.#resolveStarted(record);
  }

  report(update: ProgressUpdate): MaybePromise<void> {
    return this.#task === undefined ? this.#parts.call.onProgress?.(update) : this.#task.onProgress(update);
  }

  stopFollowing(): void {
    this.#parts.incoming.exchange.cancellation.offCancel(this.#follow);
  }

  readonly #follow = (): void => this.#controller.abort(this.#parts.incoming.exchange.cancellation.reason);
}

/** A call for a worker. Without the access token and the HTTP request. */
function toWork(call: ToolCall, client: ClientDescription, state: LegState): LegWork {
  const { address, arguments: given, connection, meta, name, principal, requestId } = call;
  const queued = { address, arguments: given, connection, meta, name, principal, requestId };
  return { call: queued, client, state, spentMs: 0 };
}

function encodeCreated({ signature }: Introduction, record: TaskRecord): string {
  const _meta = { [META.serverInfo]: signature };
  return JSON.stringify({ resultType: 'task', ...taskStateOf(record), _meta });
}
