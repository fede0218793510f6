import { connectInMemory } from '../../src/index.ts';
import type { ToolwrightServer } from '../../src/index.ts';
import type { Caller } from '../../src/pipeline/tool/policy.ts';

/** A message of the protocol, as tests read it. */
export interface RawMessage {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Sender metadata of every request of 2026-07-28. */
export function meta(capabilities: object = {}, more: object = {}): Record<string, unknown> {
  return {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    ...more,
  };
}

/** A raw client in memory. */
export class RawClient {
  readonly received: RawMessage[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #send: (message: object) => Promise<void>;
  #nextId = 1;

  constructor(server: ToolwrightServer, caller: Caller = {}) {
    const transport = connectInMemory(server, caller);
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- transports of the SDK have no other way
    transport.onmessage = (message) => {
      this.received.push(message as RawMessage);
      for (const look of Array.from(this.#waiting)) look();
    };
    this.#send = (message) => transport.send(message);
  }

  send(message: object): Promise<void> {
    return this.#send({ jsonrpc: '2.0', ...message });
  }

  /** The first matching message, when it arrives. */
  next(fits: (message: RawMessage) => boolean): Promise<RawMessage> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = this.received.find(fits);
        if (found === undefined) return;
        this.#waiting.delete(look);
        resolve(found);
      };
      this.#waiting.add(look);
      look();
    });
  }

  /** Sends a request of 2026-07-28 and waits for its response. */
  async modern(method: string, params: object = {}, capabilities: object = {}): Promise<RawMessage> {
    const given = (params as { _meta?: object })._meta;
    return this.request(method, { ...params, _meta: { ...meta(capabilities), ...given } });
  }

  /** Sends a raw request and waits for its response. */
  async request(method: string, params: object = {}): Promise<RawMessage> {
    const id = this.#nextId;
    this.#nextId += 1;
    await this.send({ id, method, params });
    return this.next((message) => message.id === id && message.method === undefined);
  }

  /** Runs the handshake of an earlier revision. */
  async initialize(capabilities: object = {}, protocolVersion = '2025-11-25'): Promise<RawMessage> {
    const answer = await this.request('initialize', {
      protocolVersion,
      capabilities,
      clientInfo: { name: 'raw', version: '1.0.0' },
    });
    await this.send({ method: 'notifications/initialized' });
    return answer;
  }
}
