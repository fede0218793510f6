import type { RpcMessage } from '../../protocol/support/rpc.ts';
import { messagesIn } from './http-caller.ts';
import type { TokenClient } from './token-client.ts';

const STREAM = { status: 200, headers: { 'content-type': 'text/event-stream' } };
const ID = 'io.modelcontextprotocol/subscriptionId';

/** A client with an open subscription, and everything that it has received. */
export class Listener {
  readonly id: string;
  readonly messages: RpcMessage[] = [];
  #read = 0;

  private constructor(id: string) {
    this.id = id;
  }

  /** Opens a subscription, and waits until the server has acknowledged it. */
  static async open(client: TokenClient, notifications: object, id = 'sub'): Promise<Listener> {
    const listener = new Listener(id);
    const begun = new Promise<void>((resolve) => {
      void client.modern(
        'subscriptions/listen',
        { notifications },
        {
          id,
          onPart: (text) => {
            listener.#take(text);
            if (listener.messages.length > 0) resolve();
          },
        },
      );
    });
    await begun;
    return listener;
  }

  /** Number of changes of a list that were announced. */
  count(kind: 'tools' | 'prompts' | 'resources'): number {
    return this.messages.filter(({ method }) => method === `notifications/${kind}/list_changed`).length;
  }

  /** Whether the acknowledgement came first and once, and everything has the id of the subscription. */
  get isInOrder(): boolean {
    const [first, ...others] = this.messages.map(({ method }) => method);
    const acknowledged = 'notifications/subscriptions/acknowledged';
    return (
      first === acknowledged &&
      !others.includes(acknowledged) &&
      this.messages.every(({ params = {} }) => (params['_meta'] as Record<string, unknown>)[ID] === this.id)
    );
  }

  /** Reads the events that are complete. */
  #take(text: string): void {
    const end = text.lastIndexOf('\n\n');
    if (end <= this.#read) return;
    this.messages.push(...messagesIn({ ...STREAM, text: text.slice(this.#read, end + 1) }));
    this.#read = end;
  }
}
