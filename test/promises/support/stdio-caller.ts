import { initializeMessage, legacyMessage, modernMessage, notification } from '../../protocol/support/rpc.ts';
import type { RpcMessage } from '../../protocol/support/rpc.ts';
import type { ChildServer } from './child-server.ts';

/** A client over stdio of a server. */
export class StdioCaller {
  readonly #child: ChildServer;
  /** Every line the server wrote. */
  readonly lines: string[] = [];

  constructor(child: ChildServer) {
    this.#child = child;
    let rest = '';
    // The server may be gone before everything is written.
    child.process.stdin?.on('error', () => {});
    child.process.stdout
      ?.on('error', () => {})
      .on('data', (chunk: Buffer) => {
        const parts = (rest + chunk.toString('utf8')).split('\n');
        rest = parts.pop() ?? '';
        this.lines.push(...parts);
      });
  }

  write(message: object): void {
    this.#child.process.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  /** Runs the handshake, so that calls of both eras can follow. */
  begin(): void {
    this.write(initializeMessage('2025-11-25'));
    this.write(notification('notifications/initialized'));
  }

  /** Calls a tool in one of the eras; returns the id. */
  call(name: string, args: object, era: 'modern' | 'legacy'): number | string {
    const params = { name, arguments: args };
    const message =
      era === 'modern' ? modernMessage('tools/call', params) : legacyMessage('tools/call', params);
    this.write(message);
    return message.id;
  }

  /** The responses so far, by id. Fails if a line is not a message. */
  get answers(): Map<unknown, RpcMessage> {
    return new Map(
      this.lines
        .map((line) => JSON.parse(line) as RpcMessage)
        .filter(({ method }) => method === undefined)
        .map((message) => [message.id, message]),
    );
  }

  /** Ends the input. */
  end(): void {
    this.#child.process.stdin?.end();
  }

  /** Stops reading without closing the output. */
  pause(): void {
    this.#child.process.stdout?.pause();
  }

  /** Closes the output. */
  stopReading(): void {
    this.#child.process.stdout?.destroy();
  }
}
