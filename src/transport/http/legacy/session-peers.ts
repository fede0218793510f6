import { toLoggedError } from '../../../errors/log-thrown.ts';
import { isObject } from '../../../base/is-object.ts';
import { copyStart } from '../../../base/cut-text.ts';
import { weighValue } from '../../../base/memory/weigh.ts';
import { toErrorAnswer } from '../../../wire/messages/answer.ts';
import type { Answer } from '../../../wire/messages/answer.ts';
import { isLogLevel } from '../../../wire/messages/log-levels.ts';
import type { RpcError, RpcRequest, RpcResponse } from '../../../wire/messages/json-rpc.ts';
import { busy } from '../../../wire/messages/rpc-errors.ts';
import type { LegacySession, SessionPeers } from '../../../wire/sessions/legacy-session.ts';
import type { Served } from '../../../wire/served/served.ts';
import type { SessionRecords, StoredSession } from './session-records.ts';

/** Error of requests that need the session store, if it fails or is full. */
export const STORE_FAILED: RpcError = busy('The session store is unavailable. Try again later.');

/** Parts of the connection to other nodes. */
export interface PeerParts {
  readonly served: Served;
  readonly records: SessionRecords;
  /** Random id of this node. */
  readonly node: string;
  /** The session in the store. */
  readonly stored: StoredSession;
}

/** Connects one session to the nodes that serve the same session: through the store, and with events on the bus. */
export class Peers implements SessionPeers {
  readonly idPrefix: string;
  readonly #parts: PeerParts;

  constructor(parts: PeerParts) {
    this.#parts = parts;
    this.idPrefix = `${parts.node}-`;
  }

  /** Publishes an event about the session to the other nodes. */
  publish(change: Readonly<Record<string, unknown>>): void {
    const { served, node, stored } = this.#parts;
    const publish = async (): Promise<void> =>
      served.bus.publish({ kind: 'session', session: stored.key, change: { ...change, from: node } });
    publish().catch((error: unknown) => {
      served.logger.error('the event bus failed', { error: toLoggedError(error) });
    });
  }

  async change(request: RpcRequest, legacy: LegacySession, answer: () => Promise<Answer>): Promise<Answer> {
    const { records, served, stored } = this.#parts;
    try {
      if (request.method !== 'logging/setLevel')
        return await records.alone(stored, () => this.#changeSubscriptions(legacy, answer));
      const level = request.params?.['level'];
      if (isLogLevel(level)) await records.setLogLevel(stored, level);
      return await answer();
    } catch (error) {
      served.logger.error('the session store failed', { error: toLoggedError(error) });
      return toErrorAnswer(request.id, STORE_FAILED);
    }
  }

  async #changeSubscriptions(
    { subscriptions }: LegacySession,
    answer: () => Promise<Answer>,
  ): Promise<Answer> {
    const { records, stored } = this.#parts;
    const before = new Set(await this.loadSubscriptions(subscriptions));
    const answered = await answer();
    const added = Array.from(subscriptions).filter((uri) => !before.has(uri));
    const removed = Array.from(before).filter((uri) => !subscriptions.has(uri));
    if (added.length + removed.length === 0) return answered;
    await records.setSubscriptions(stored, Array.from(subscriptions));
    // With the URIs: an update of the resource may follow at once.
    this.publish({ type: 'subscriptions', added, removed });
    return answered;
  }

  /** Replaces the subscriptions of this node by those in the store. */
  async loadSubscriptions(subscriptions: Set<string>): Promise<readonly string[]> {
    const uris = await this.#parts.records.findSubscriptions(this.#parts.stored);
    for (const uri of Array.from(subscriptions)) if (!uris.includes(uri)) subscriptions.delete(uri);
    for (const uri of uris) subscriptions.add(uri);
    return uris;
  }

  /** Only responses to requests of nodes are stored; others were not asked for. */
  async passOn({ id, result, error }: RpcResponse): Promise<void> {
    const { records, stored, node, served } = this.#parts;
    if (typeof id !== 'string' || !REQUEST_OF_A_NODE.test(id) || id.startsWith(`${node}-`)) return;
    const response = error === undefined ? { result } : { error };
    const { inputTimeoutMs: ttlMs } = served.limits;
    await records.putResponse(stored, id, { response, ttlMs });
    this.publish({ type: 'response', id });
  }

  /** Takes a response that another node has stored. */
  async takeResponse(id: string, legacy: LegacySession): Promise<void> {
    if (!legacy.isWaitingFor(id)) return;
    const found = await this.#parts.records.takeResponse(this.#parts.stored, id);
    if (!isObject(found)) return;
    const { result, error } = found as { readonly result?: unknown; readonly error?: RpcError };
    void legacy.settle({ kind: 'response', id, result, error, weight: weighValue(found) });
  }

  cancel(requestId: unknown, reason: unknown): void {
    if (typeof requestId !== 'string' && typeof requestId !== 'number') return;
    const text = typeof reason === 'string' ? copyStart(reason, 200) : undefined;
    this.publish({ type: 'cancel', requestId, reason: text });
  }
}

/** Id of a request to a client: a node, and a number. */
const REQUEST_OF_A_NODE = /^[\da-f]{16}-\d{1,16}$/;
