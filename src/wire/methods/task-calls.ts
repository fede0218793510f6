import type { ProgressUpdate } from '../../middleware/context.ts';
import type { Question } from '../../middleware/dialogue.ts';
import type { ToolCall } from '../../pipeline/call.ts';
import type { CompiledTaskOptions } from '../../pipeline/compiled-tool.ts';
import { createErrorResult } from '../../pipeline/error-result.ts';
import type { Selection } from '../../pipeline/route.ts';
import type { ToolReply } from '../../pipeline/tool-reply.ts';
import type { ToolSurface } from '../../registry/surface.ts';
import type { MaybePromise } from '../../schema/validated.ts';
import type { TaskRecord } from '../../stores/task-store.ts';
import type { TaskEnd } from '../../tasks/task-runner.ts';
import { META } from '../meta-keys.ts';
import type { Incoming, MethodReply } from '../method.ts';
import { ModernDialogue } from '../modern-dialogue.ts';
import { INTERNAL_ERROR } from '../rpc-errors.ts';
import { toRefusal } from '../refusal.ts';
import type { Served } from '../served.ts';
import { taskStateOf } from '../task-state.ts';
import { isAnonymous, ownerOf } from '../owner.ts';
import { askClient } from './rounds.ts';

/** A call that may run as a task. */
export interface TaskCall {
  readonly incoming: Incoming;
  readonly tools: ToolSurface<never>;
  readonly selection: Extract<Selection, { kind: 'selected' }>;
  readonly call: ToolCall;
  /** Answers as if there were no tasks. */
  readonly finish: (reply: ToolReply) => MaybePromise<MethodReply>;
}

/** Runs a call as a task from its beginning: the client gets the task, and comes back for the result. */
export async function callAsTask({ incoming, tools, selection, call }: TaskCall): Promise<MethodReply> {
  const { served, exchange } = incoming;
  const { pollIntervalMs, timeoutMs } = selection.tool.task as CompiledTaskOptions;
  try {
    const record = await served.tasks.start({
      owner: await ownerOf(exchange.caller),
      isAnonymous: isAnonymous(exchange.caller),
      pollIntervalMs,
      client: exchange.client,
      run: async ({ dialogue, signal, onProgress }) => {
        const stopped = new Stopped();
        const cancellation = undefined;
        // A task may outlive the connection, and with it whatever its calls are measured with.
        const around = {
          dialogue,
          signal,
          cancellation,
          timers: undefined,
          onProgress,
          timeoutMs,
          onSettled: stopped.tell,
        };
        return stopped.unlessCancelled(
          signal,
          tools.handleSelected(selection, { ...call, ...around }, asItIs),
        );
      },
    });
    return { json: encodeCreated(served, record) };
  } catch (error) {
    return { error: toRefusal(served, error) };
  }
}

/** Runs a call that may ask the client first and turn into a task later, where its handler says so. */
export async function callThatMayBecomeTask(parts: TaskCall): Promise<MethodReply> {
  const { incoming, tools, selection, call, finish } = parts;
  const { timeoutMs } = selection.tool.task as CompiledTaskOptions;
  const dialogue = new TaskableDialogue(parts);
  const stopped = new Stopped();
  const deadline = startDeadline(parts, dialogue);
  const around: ToolCall = {
    ...call,
    dialogue,
    timeoutMs,
    signal: dialogue.signal,
    cancellation: undefined,
    timers: undefined,
    onSettled: stopped.tell,
    onProgress: (update) => dialogue.report(update),
  };
  const ended = tools.handleSelected(selection, around, asItIs);
  dialogue.end(stopped.unlessCancelled(dialogue.signal, ended));
  const reply = await Promise.race([dialogue.started, ended, deadline.passed]);
  deadline.cancel();
  if ('taskId' in reply) return { json: encodeCreated(incoming.served, reply) };
  dialogue.stopFollowing();
  if (reply.kind !== 'input-required') return finish(reply);
  return askClient(incoming, dialogue);
}

function asItIs(reply: ToolReply): ToolReply {
  return reply;
}

/** As long as a call is no task, the tool's own deadline holds: somebody waits for the answer. */
function startDeadline(
  { incoming, selection }: TaskCall,
  dialogue: TaskableDialogue,
): { readonly passed: Promise<ToolReply>; readonly cancel: () => void } {
  const { tool } = selection;
  const { clock, errorHandler } = incoming.served;
  let cancel: () => void = () => {};
  const passed = new Promise<ToolReply>((resolve) => {
    cancel = clock.schedule(() => {
      const { timeoutMs } = tool;
      const message = `Tool '${tool.name}' did not finish within ${timeoutMs} ms and was stopped.`;
      // Before it is stopped: what comes of that is no answer any more.
      resolve({ kind: 'result', result: createErrorResult(errorHandler, { code: 'TIMED_OUT', message }) });
      dialogue.stop(new DOMException(`The tool did not finish within ${timeoutMs} ms`, 'TimeoutError'));
    }, tool.timeoutMs);
  });
  return { passed, cancel };
}

/** Waits for a handler that was told to stop: until it has, its task holds its place. */
class Stopped {
  readonly tell: () => void;
  readonly #stopped: Promise<void>;

  constructor() {
    let tell: () => void = () => {};
    this.#stopped = new Promise((resolve) => {
      tell = resolve;
    });
    this.tell = tell;
  }

  async unlessCancelled(signal: AbortSignal, reply: MaybePromise<ToolReply>): Promise<TaskEnd> {
    const end = toTaskEnd(await reply);
    if (signal.aborted) await this.#stopped;
    return end;
  }
}

/** A dialogue that begins as one over several requests, and goes on as that of a task. */
class TaskableDialogue extends ModernDialogue {
  readonly started: Promise<TaskRecord>;
  readonly #parts: TaskCall;
  readonly #controller = new AbortController();
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
    const { incoming, selection } = this.#parts;
    // The handler only gets here after its call is under way.
    const end = Promise.resolve().then(() => this.#ended as Promise<TaskEnd>);
    const { record, dialogue, onProgress } = await incoming.served.tasks.adopt({
      owner: await ownerOf(incoming.exchange.caller),
      isAnonymous: isAnonymous(incoming.exchange.caller),
      pollIntervalMs: (selection.tool.task as CompiledTaskOptions).pollIntervalMs,
      client: incoming.exchange.client,
      abort: (reason) => this.#controller.abort(reason),
      end,
    });
    // The request is answered now; that its connection ends says nothing about the task any more.
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

function toTaskEnd(reply: ToolReply): TaskEnd {
  switch (reply.kind) {
    case 'result':
      return { kind: 'result', result: reply.result };
    case 'protocol-error': {
      const { code, message, data } = reply;
      return { kind: 'error', error: { code, message, ...(data === undefined ? {} : { data }) } };
    }
    case 'input-required':
      return { kind: 'error', error: INTERNAL_ERROR };
    default:
      return reply satisfies never;
  }
}

function encodeCreated({ signature }: Served, record: TaskRecord): string {
  const _meta = { [META.serverInfo]: signature };
  return JSON.stringify({ resultType: 'task', ...taskStateOf(record), _meta });
}
