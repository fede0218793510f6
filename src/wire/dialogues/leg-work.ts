import { isObject } from '../../base/is-object.ts';
import type { ClientDescription } from '../../middleware/dialogue.ts';
import type { ToolCall } from '../../pipeline/context/call.ts';
import type { KeyRing } from '../../stores/sealing/key-ring.ts';

/** An open input request of a task. */
export interface AskedInput {
  /** Key of the request; the protocol requires that a key is used once in the life of a task. */
  readonly key: string;
  /** Wall time until which the client can respond. */
  readonly until: number;
}

/** State of a task between its legs. */
export interface LegState {
  /** Accepted responses by the names of the requests, as received. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** Recorded results of steps. */
  readonly steps: Readonly<Record<string, { readonly value?: unknown }>>;
  /** Open requests by their names. */
  readonly asked: Readonly<Record<string, AskedInput>>;
  /** Names of requests that the client did not respond to in time. */
  readonly refused: readonly string[];
  /** All keys that were used. */
  readonly keys: readonly string[];
}

/** The part of a call that its worker needs: never an access token. */
export type QueuedCall = Pick<
  ToolCall,
  'address' | 'arguments' | 'connection' | 'meta' | 'name' | 'principal' | 'requestId'
>;

/** A task as its next leg needs it. */
export interface LegWork {
  readonly call: QueuedCall;
  readonly client: ClientDescription;
  readonly state: LegState;
  /** Time that the earlier legs took together. */
  readonly spentMs: number;
}

export const NO_STATE: LegState = { answers: {}, steps: {}, asked: {}, refused: [], keys: [] };

/** Encrypts the work and the input responses of tasks, each bound to its task and its server. */
export class LegSealer {
  readonly #ring: KeyRing;
  readonly #server: string;

  constructor(ring: KeyRing, server: string) {
    this.#ring = ring;
    this.#server = server;
  }

  sealWork(taskId: string, work: LegWork): Promise<string> {
    return this.#ring.seal(JSON.stringify(work), 'task', this.#bindingOf(taskId));
  }

  /** Undefined if no key of this process decrypts it. */
  async openWork(taskId: string, sealed: string): Promise<LegWork | undefined> {
    const text = await this.#ring.open(sealed, 'task', this.#bindingOf(taskId));
    return text === undefined ? undefined : (JSON.parse(text) as LegWork);
  }

  sealResponses(taskId: string, responses: Readonly<Record<string, unknown>>): Promise<string> {
    return this.#ring.seal(JSON.stringify(responses), 'task input', this.#bindingOf(taskId));
  }

  /** Responses of all updates, in their order; those that cannot be decrypted are dropped. */
  async openResponses(
    taskId: string,
    sealed: readonly string[],
  ): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const binding = this.#bindingOf(taskId);
    const texts = await Promise.all(sealed.map((each) => this.#ring.open(each, 'task input', binding)));
    const opened = texts.map((text): unknown => (text === undefined ? undefined : JSON.parse(text)));
    return opened.filter((each) => isObject(each));
  }

  #bindingOf(taskId: string): string {
    return JSON.stringify([this.#server, taskId]);
  }
}
