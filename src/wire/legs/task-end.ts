import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { ToolReply } from '../../pipeline/reply/tool-reply.ts';
import type { TaskEnd } from '../../tasks/new-task.ts';
import { INTERNAL_ERROR } from '../messages/rpc-errors.ts';

/** Converts the reply of a tool to the end of its task. */
export function toTaskEnd(reply: ToolReply): TaskEnd {
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

/** Waits for a cancelled handler: its task counts until it has ended. */
export class Stopped {
  readonly tell: () => void;
  readonly #stopped: Promise<void>;

  constructor() {
    let tell: () => void = () => {};
    this.#stopped = new Promise((resolve) => {
      tell = resolve;
    });
    this.tell = tell;
  }

  async unlessCancelled(signal: AbortSignal, reply: MaybePromise<ToolReply>): Promise<ToolReply> {
    const end = await reply;
    if (signal.aborted) await this.#stopped;
    return end;
  }
}
