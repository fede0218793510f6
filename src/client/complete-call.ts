import type { Clock } from '../base/time/clock.ts';
import { LinkError } from './link.ts';
import type { Answerers, RpcMessage } from './link.ts';
import { RpcFailure } from './rpc-client.ts';
import type { RpcClient, RpcProgress } from './rpc-client.ts';

type Result = Readonly<Record<string, unknown>>;

/** A request during which the server may send requests to the client. */
export interface AskingRequest {
  readonly method: 'prompts/get' | 'resources/read' | 'tools/call';
  readonly params: Result;
}

/** Options of {@link completeCall}. */
export interface CompleteCallOptions {
  readonly answerers: Answerers;
  readonly clock: Clock;
  readonly onProgress?: (update: Partial<RpcProgress>) => void;
  /** Called with the id of the task that a call creates, and with undefined when the task ends. */
  readonly onTask?: (taskId: string | undefined) => void;
}

/** Maximum number of rounds with input requests. */
const MAX_ROUNDS = 50;

/** Sends a request and waits for its result: answers input requests, and polls the task if the server creates one. */
export async function completeCall(
  client: RpcClient,
  { method, params }: AskingRequest,
  options: CompleteCallOptions,
): Promise<Result> {
  const { answerers, onProgress } = options;
  let answered: Result = {};
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const result = await client.request(
      method,
      { ...params, ...answered },
      onProgress === undefined ? {} : { onProgress },
    );
    if (result['resultType'] === 'task') return followTask(client, result, options);
    if (result['resultType'] !== 'input_required') return result;
    const { inputRequests, requestState } = result;
    answered = {
      inputResponses: await answerAll(inputRequests, answerers),
      ...(requestState === undefined ? {} : { requestState }),
    };
  }
  throw new LinkError(`The server requested input for ${method} more than ${MAX_ROUNDS} times.`);
}

/** Answers input requests one after the other, because there is one user. */
async function answerAll(requests: unknown, answerers: Answerers): Promise<Result> {
  const responses: Record<string, unknown> = {};
  for (const [name, request] of Object.entries((requests ?? {}) as Readonly<Record<string, unknown>>)) {
    const { method, params } = (request ?? {}) as { readonly method?: unknown; readonly params?: Result };
    const answer =
      typeof method === 'string' && Object.hasOwn(answerers, method) ? answerers[method] : undefined;
    if (answer === undefined)
      throw new LinkError(`The server requested ${String(method)}, which this client does not support.`);
    responses[name] = await answer(params ?? {});
  }
  return responses;
}

/** Bounds and default of the poll interval that a server suggests. */
const POLL_MS = { least: 20, usual: 1000, most: 10_000 } as const;

async function followTask(client: RpcClient, begun: Result, options: CompleteCallOptions): Promise<Result> {
  const { taskId } = begun;
  if (typeof taskId !== 'string') throw new LinkError('The server created a task without an id.');
  const { onTask } = options;
  onTask?.(taskId);
  try {
    return await untilEnd(client, { taskId, begun }, options);
  } finally {
    onTask?.(undefined);
  }
}

interface BegunTask {
  readonly taskId: string;
  readonly begun: Result;
}

async function untilEnd(
  client: RpcClient,
  { taskId, begun }: BegunTask,
  { answerers, clock, onProgress }: CompleteCallOptions,
): Promise<Result> {
  let task = begun;
  for (;;) {
    const { status, statusMessage, inputRequests } = task;
    if (typeof statusMessage === 'string') onProgress?.({ message: statusMessage });
    if (status === 'completed') return (task['result'] ?? {}) as Result;
    if (status === 'failed') throw new RpcFailure((task['error'] ?? UNKNOWN) as typeof UNKNOWN);
    if (status === 'cancelled') throw new LinkError('The task was cancelled.');
    if (status === 'input_required' && inputRequests !== undefined)
      await client.request('tasks/update', {
        taskId,
        inputResponses: await answerAll(inputRequests, answerers),
      });
    await pause(task['pollIntervalMs'], clock);
    task = await client.request('tasks/get', { taskId });
  }
}

const UNKNOWN: NonNullable<RpcMessage['error']> = { code: -32603, message: 'The task failed.' };

function pause(suggested: unknown, clock: Clock): Promise<void> {
  const ms = typeof suggested === 'number' && suggested > 0 ? suggested : POLL_MS.usual;
  return new Promise((resolve) => {
    clock.schedule(resolve, Math.min(Math.max(ms, POLL_MS.least), POLL_MS.most));
  });
}
