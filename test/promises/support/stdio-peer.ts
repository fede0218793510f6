import { ChildServer } from './child-server.ts';
import type { ChildOptions } from './child-server.ts';

/** A message as received. */
export interface Spoken {
  readonly jsonrpc?: unknown;
  readonly id?: string | number;
  readonly result?: { readonly content?: readonly { readonly text?: string }[] };
  readonly error?: { readonly code: number; readonly message: string };
}

/** Maximum wait for all expected responses. A test that must fail waits less. */
const PATIENCE_MS = { sound: 20_000, broken: 3000 };

/** An app over stdio and everything it wrote, byte by byte. */
export class StdioPeer {
  readonly server: ChildServer;
  readonly #chunks: Buffer[] = [];
  readonly #patienceMs: number;
  #lines = 0;
  #waiting: (() => void) | undefined;

  private constructor(server: ChildServer, options: ChildOptions) {
    this.server = server;
    this.#patienceMs = PATIENCE_MS[(options.without ?? []).length === 0 ? 'sound' : 'broken'];
    this.server.process.stdin?.on('error', () => {});
    this.server.process.stdout?.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk);
      for (const byte of chunk) if (byte === 10) this.#lines += 1;
      this.#waiting?.();
    });
  }

  /** Starts an app and waits until it sends `{ ready: true }`. */
  static async start(app: string, options: ChildOptions = {}): Promise<StdioPeer> {
    const peer = new StdioPeer(await ChildServer.start(app, options), options);
    await peer.server.hear('ready');
    return peer;
  }

  /** Writes raw bytes, no faster than they are read. */
  async write(bytes: Buffer | string): Promise<void> {
    const { stdin } = this.server.process;
    if (stdin === null || stdin.destroyed || stdin.write(bytes)) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        stdin.off('drain', done).off('close', done);
        resolve();
      };
      stdin.on('drain', done).on('close', done);
    });
  }

  /** Waits for this number of lines; the error describes the state. */
  async untilLines(count: number): Promise<void> {
    const arrived = new Promise<void>((resolve) => {
      this.#waiting = () => {
        if (this.#lines >= count) resolve();
      };
      this.#waiting();
    });
    let timer: NodeJS.Timeout | undefined;
    const timeUp = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () => reject(new Error(`unanswered: ${this.#lines} of ${count} lines came`)),
        this.#patienceMs,
      );
    });
    const crashed = this.server.ended.then(({ code, signal }) => {
      throw new Error(
        `the server crashed (${code ?? signal}) after ${this.#lines} lines:\n${this.server.stderr}`,
      );
    });
    try {
      await Promise.race([arrived, timeUp, crashed]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Everything written so far. */
  get output(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  /** Ends its input and waits for the end of the process. */
  async end(): Promise<number | NodeJS.Signals | null> {
    this.server.process.stdin?.end();
    const { code, signal } = await this.server.ended;
    return code ?? signal;
  }
}

/** The messages of an output, and the lines that are not messages. */
export function readMessages(output: Buffer): { readonly messages: Spoken[]; readonly strays: string[] } {
  const messages: Spoken[] = [];
  const strays: string[] = [];
  const lines = output.toString('utf8').split('\n');
  // Nothing may follow the last line.
  const rest = lines.pop();
  if (rest !== undefined && rest !== '') strays.push(rest);
  for (const line of lines) {
    const message = parse(line);
    if (message?.jsonrpc === '2.0') messages.push(message);
    else strays.push(line);
  }
  return { messages, strays };
}

function parse(line: string): Spoken | undefined {
  try {
    return JSON.parse(line) as Spoken;
  } catch {
    return undefined;
  }
}
