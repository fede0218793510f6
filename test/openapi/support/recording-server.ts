import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A raw request. */
export interface RecordedRequest {
  readonly method: string;
  /** The raw request target. */
  readonly target: string;
  /** Each header as often as it was sent, with its original name. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** A response of the server. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Returns the response to a request. */
export type AnswerTo = (request: RecordedRequest) => Answer;

const OK: Answer = { headers: { 'content-type': 'application/json' }, body: '{"ok":true}' };

/** A plain HTTP server that records raw requests. */
export class RecordingServer {
  readonly #server: Server;
  readonly #requests: RecordedRequest[] = [];
  answer: AnswerTo = () => OK;

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', url: target = '', rawHeaders } = request;
        const headers = rawHeaders.flatMap((name, index) =>
          index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] as const] : [],
        );
        const recorded = { method, target, headers, body: Buffer.concat(chunks) };
        this.#requests.push(recorded);
        const answer = this.answer(recorded);
        response.writeHead(answer.status ?? 200, answer.headers);
        response.end(answer.body);
      });
    });
  }

  static async start(): Promise<RecordingServer> {
    const recording = new RecordingServer();
    await new Promise<void>((resolve) => recording.#server.listen(0, '127.0.0.1', resolve));
    return recording;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Requests since the previous call. */
  take(): readonly RecordedRequest[] {
    return this.#requests.splice(0);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

/** The value of a header; undefined if it was not sent. */
export function headerOf({ headers }: RecordedRequest, name: string): string | undefined {
  const values = headers.filter(([key]) => key.toLowerCase() === name.toLowerCase());
  if (values.length > 1) throw new Error(`${name} was sent ${values.length} times`);
  return values[0]?.[1];
}
