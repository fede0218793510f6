import type { RequestId } from './json-rpc.ts';

/** The requests of one client that are being answered, so that it can take them back. */
export class InFlight {
  readonly #controllers = new Map<RequestId, AbortController>();

  get size(): number {
    return this.#controllers.size;
  }

  has(id: RequestId): boolean {
    return this.#controllers.has(id);
  }

  /** Begins a request. */
  start(id: RequestId): AbortController {
    const controller = new AbortController();
    this.#controllers.set(id, controller);
    return controller;
  }

  end(id: RequestId): void {
    this.#controllers.delete(id);
  }

  /** Takes a request back. One that is unknown or answered already is nobody's concern. */
  cancel(id: unknown, reason: unknown): void {
    const text = typeof reason === 'string' ? reason : 'The client cancelled the request.';
    this.#controllers.get(id as RequestId)?.abort(new DOMException(text.slice(0, 200), 'AbortError'));
  }

  cancelAll(reason: string): void {
    for (const id of Array.from(this.#controllers.keys())) this.cancel(id, reason);
  }
}
