import type { Clock } from '../base/time/clock.ts';
import { LinkError } from './link.ts';
import type { Answerers, RpcMessage } from './link.ts';
import { RpcFailure } from './rpc-client.ts';
import type { RpcClient, RpcProgress } from './rpc-client.ts';

type Result = Readonly<Record<string, unknown>>;

/** A request that its server may ask something about. */
export interface AskingRequest {
  readonly method: 'prompts/get' | 'resources/read' | 'tools/call';
  readonly params: Result;
}

/** Options of {@link completeCall}. */
export interface CompleteCallOptions {
  readonly answerers: Answerers;
  readonly clock: Clock;
  readonly onProgress?: (update: Partial<RpcProgress>) => void;
  /** Told of the task that a call has become; told with undefined when it has ended. */
  readonly onTask?: (taskId: string | undefined) => void;
}

/** A server that never has enough answers is stopped somewhere. */
const MAX_ROUNDS = 50;

/** Sends a request until its result is there: answers what the server asks, and follows the task that it becomes. */
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
  throw new LinkError(
    `The server asked more than ${MAX_ROUNDS} times about ${method}. Its questions have no end.`,
  );
}

/** One after the other: there is one person to ask. */
async function answerAll(requests: unknown, answerers: Answerers): Promise<Result> {
  const responses: Record<string, unknown> = {};
  for (const [name, request] of Object.entries((requests ?? {}) as Readonly<Record<string, unknown>>)) {
    const { method, params } = (request ?? {}) as { readonly method?: unknown; readonly params?: Result };
    const answer =
      typeof method === 'string' && Object.hasOwn(answerers, method) ? answerers[method] : undefined;
    if (answer === undefined)
      throw new LinkError(`The server asks for ${String(method)}, which this client cannot answer.`);
    responses[name] = await answer(params ?? {});
  }
  return responses;
}

/** How often a task is asked for, whatever the server suggests. */
const POLL_MS = { least: 20, usual: 1000, most: 10_000 } as const;

async function followTask(client: RpcClient, begun: Result, options: CompleteCallOptions): Promise<Result> {
  const { taskId } = begun;
  if (typeof taskId !== 'string') throw new LinkError('The server began a task without an id.');
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
