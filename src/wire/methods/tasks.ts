import { TASKS_EXTENSION } from '../messages/meta-keys.ts';
import { stamped } from '../services/method.ts';
import type { Incoming, Method, MethodReply } from '../services/method.ts';
import { invalidParams, missingCapability } from '../messages/rpc-errors.ts';
import { wholeTaskOf } from '../services/task-state.ts';
import { ownerOf } from '../served/owner.ts';

/** Defines a method of the tasks extension: only for clients that declare it, and only for the caller's own tasks. */
function defineTaskMethod(
  run: (incoming: Incoming, taskId: string, owner: string) => Promise<object | undefined>,
): Method {
  return async (incoming): Promise<MethodReply> => {
    const { services, request, exchange } = incoming;
    if (exchange.client.capabilities.extensions?.[TASKS_EXTENSION] === undefined) {
      const message = `${request.method} requires a client that declares the extension ${TASKS_EXTENSION}.`;
      return { error: missingCapability({ extensions: { [TASKS_EXTENSION]: {} } }, message) };
    }
    const { taskId } = request.params ?? {};
    if (typeof taskId !== 'string')
      return { error: invalidParams('Invalid params: taskId must be a string.') };
    const result = await run(
      incoming,
      taskId,
      await ownerOf(exchange.caller, incoming.services.introduction.info.name),
    );
    if (result === undefined) return { error: invalidParams(`Unknown task: ${taskId.slice(0, 128)}`) };
    return { json: stamped(services.introduction, result as Record<string, unknown>) };
  };
}

export const getTask: Method = defineTaskMethod(async ({ services }, taskId, owner) => {
  const record = await services.tasks.get(taskId, owner);
  return record === undefined ? undefined : wholeTaskOf(record);
});

export const updateTask: Method = defineTaskMethod(async ({ services, request, exchange }, taskId, owner) => {
  const { inputResponses } = request.params ?? {};
  // The task keeps the responses until it has ended.
  exchange.hold?.follow(services.tasks.whenEnded(taskId, owner));
  const given = typeof inputResponses === 'object' && inputResponses !== null ? inputResponses : {};
  return (await services.tasks.update(taskId, owner, given as Record<string, unknown>)) ? {} : undefined;
});

export const cancelTask: Method = defineTaskMethod(async ({ services }, taskId, owner) =>
  (await services.tasks.cancel(taskId, owner)) ? {} : undefined,
);
