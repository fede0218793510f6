import { PassThrough } from 'node:stream';
import { serveStdio } from '../../../src/stdio.ts';
import type { RunningStdio } from '../../../src/stdio.ts';
import { Inbox, within } from './inbox.ts';
import { initializeMessage, modernMessage, notification } from './rpc.ts';
import type { ModernOptions, RpcMessage } from './rpc.ts';
import { startSample } from './sample.ts';
import type { Sample, SampleOptions } from './sample.ts';

/** A client that writes lines and reads lines. */
export class RawStdio {
  readonly #input = new PassThrough();
  readonly #output = new PassThrough();
  readonly lines = new Inbox<string>('lines');
  readonly running: RunningStdio;

  constructor(sample: Sample) {
    this.running = serveStdio(sample.server, { input: this.#input, output: this.#output });
    let text = '';
    this.#output.setEncoding('utf8');
    this.#output.on('data', (chunk: string) => {
      text += chunk;
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) this.lines.push(line);
    });
    void this.running.closed.then(() => this.lines.end());
  }

  /** Writes a message as one line; strings and bytes are sent unchanged. */
  write(message: unknown): void {
    const isRaw = typeof message === 'string' || Buffer.isBuffer(message);
    this.#input.write(isRaw ? message : `${JSON.stringify(message)}\n`);
  }

  async next(): Promise<RpcMessage> {
    return JSON.parse(await this.lines.next()) as RpcMessage;
  }

  /** Sends a request; resolves to the next line. */
  ask(message: unknown): Promise<RpcMessage> {
    this.write(message);
    return this.next();
  }

  modern(method: string, params: object = {}, options: ModernOptions = {}): Promise<RpcMessage> {
    return this.ask(modernMessage(method, params, options));
  }

  async initialize(version: string, capabilities: object = {}): Promise<RpcMessage> {
    const answer = await this.ask(initializeMessage(version, capabilities));
    this.write(notification('notifications/initialized'));
    return answer;
  }

  /** Ends the input. */
  end(): void {
    this.#input.end();
  }

  async closed(): Promise<void> {
    await within(this.running.closed, 'the end of the connection');
  }
}

/** A sample server with a client over stdio. */
export interface StdioSample extends Sample, AsyncDisposable {
  readonly stdio: RawStdio;
}

export function startStdio(options: SampleOptions = {}): StdioSample {
  const sample = startSample(options);
  const stdio = new RawStdio(sample);
  return {
    ...sample,
    stdio,
    [Symbol.asyncDispose]: () =>
      sample.settle(async () => {
        await stdio.running.close();
        await sample.server.close();
      }),
  };
}
