/** A serving worker, for the terminal. */
export interface Serving {
  readonly name: string;
  readonly version: string;
  readonly url: string;
  /** Command that lists the server. */
  readonly tryLine: string | undefined;
  /** Lines about its OpenAPI documents. */
  readonly remarks: readonly string[];
}

/** Messages from a worker to the primary process. */
export type FromWorker =
  /** The worker listens to messages: those sent earlier are lost. */
  | { readonly type: 'toolwright:awake' }
  | { readonly type: 'toolwright:ready'; readonly serving: Serving }
  /** A stray error ends the worker, which drains first. */
  | { readonly type: 'toolwright:leaving' }
  /** The server could not be loaded or served: the message for the terminal, and the exit code of the command. */
  | { readonly type: 'toolwright:failed'; readonly message: string; readonly code: number };

/** Messages from the primary process to a worker. */
export type ToWorker =
  /** Starts the server. `secret` is that of all workers: what one of them encrypts, the others decrypt. */
  | { readonly type: 'toolwright:begin'; readonly secret: string }
  /** Drains the server and ends the process. `isReplaced`: other workers go on serving. */
  | { readonly type: 'toolwright:close'; readonly isReplaced: boolean };

type Message = FromWorker | ToWorker;

/** A message of one type. */
export type MessageOf<TType extends Message['type']> = Extract<Message, { readonly type: TType }>;

/** Whether this is a message of the type: modules of the application may send messages too. */
export function isMessage<TType extends Message['type']>(
  message: unknown,
  type: TType,
): message is MessageOf<TType> {
  return (message as { readonly type?: unknown } | null)?.type === type;
}
