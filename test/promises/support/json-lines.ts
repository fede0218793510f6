import type { ChildServer } from './child-server.ts';
import type { Json } from './mcp-socket.ts';
import { legacyMessage } from './mcp-requests.ts';

/** A client over stdio of a process. */
export class JsonLines {
  readonly #child: ChildServer;
  readonly #waiting = new Map<unknown, () => void>();
  /** All messages received, in order. */
  readonly messages: Json[] = [];
  readonly #answered = new Set<unknown>();

  constructor(child: ChildServer) {
    this.#child = child;
    let text = '';
    child.process.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (text + chunk).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) this.#hear(JSON.parse(line) as Json);
    });
  }

  get answers(): readonly Json[] {
    return this.messages.filter(({ method }) => method === undefined);
  }

  write(message: string): void {
    this.#child.process.stdin?.write(`${message}\n`);
  }

  /** Waits for the response to a request. */
  async answer(id: string | number): Promise<void> {
    if (this.#answered.has(id)) return;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer to ${JSON.stringify(id)}`)), 30_000);
      this.#waiting.set(id, () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Runs the handshake of 2025-11-25. */
  async initialize(): Promise<void> {
    const clientInfo = { name: 'promise', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    this.write(legacyMessage({ method: 'initialize', id: 'initialize', params }));
    await this.answer('initialize');
    this.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  }

  #hear(message: Json): void {
    this.messages.push(message);
    if (message['method'] !== undefined) return;
    this.#answered.add(message['id']);
    this.#waiting.get(message['id'])?.();
    this.#waiting.delete(message['id']);
  }
}
