import type { HttpContext } from '../../../middleware/context.ts';
import type { Caller } from '../../../pipeline/tool/policy.ts';
import type { MaybePromise } from '../../../base/maybe-promise.ts';
import type { MemoryHold } from '../../../base/memory/memory-hold.ts';
import type { Closing } from '../../../wire/served/closing.ts';
import type { RequestId } from '../../../wire/messages/json-rpc.ts';
import type { Answer } from '../../../wire/messages/answer.ts';
import type { WayBack } from '../../../wire/sessions/legacy-exchange.ts';
import { admit } from '../gate/admit.ts';
import type { LegacyPost } from './legacy-post.ts';
import type { EndpointParts } from '../gate/endpoint-request.ts';

/** One request of a session. */
interface LegacyRequest {
  readonly id: RequestId;
  readonly caller: Caller;
  /** The key of its caller; undefined for anonymous ones. */
  readonly owner: string | undefined;
  readonly http: HttpContext;
}

/** The way back for one request of a session: through what it was sent with. */
export class LegacyWay implements WayBack {
  readonly caller: Caller;
  readonly closing: Closing;
  readonly hold: MemoryHold;
  readonly http: HttpContext;
  readonly #id: RequestId;
  readonly #owner: string | undefined;
  readonly #post: LegacyPost;
  readonly #parts: EndpointParts;

  constructor(parts: EndpointParts, post: LegacyPost, { id, caller, owner, http }: LegacyRequest) {
    this.http = http;
    this.caller = caller;
    this.closing = parts.closing;
    this.hold = post.hold;
    this.#id = id;
    this.#owner = owner;
    this.#post = post;
    this.#parts = parts;
  }

  send(message: string, key?: unknown): MaybePromise<void> {
    return this.#post.send(message, key);
  }

  releaseStream(): void {
    this.#post.releaseStream();
  }

  admit(answer: () => Promise<Answer>): Promise<Answer> {
    return admit(this.#parts.admission, { id: this.#id, owner: this.#owner, answer });
  }

  /** A call that waits for the user gives its turn to others. */
  onAsk(isWaiting: boolean): void {
    const { admission } = this.#parts;
    if (isWaiting) admission.leave(this.#owner);
    else admission.resume(this.#owner);
  }
}
