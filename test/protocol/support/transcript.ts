import { expect } from 'vitest';
import type { Json } from './placeholders.ts';
import { Placeholders } from './placeholders.ts';
import { eventsOf } from './raw-http.ts';
import type { RawEvent, RawHttp, RawRequest, RawResponse, RawStream } from './raw-http.ts';
import type { RawStdio } from './raw-stdio.ts';

type Members = { readonly [key: string]: Json };

/** A request, verbatim. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  /** In addition to the headers of all requests of the conversation; `null` removes one of those. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: Json;
}

/** A response, verbatim; of the headers only the named ones, `null` for one that must be missing. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | null>>;
  /** JSON, or text otherwise. */
  readonly body?: Json;
  /** Instead of a body: a stream, to its end. */
  readonly events?: readonly Members[];
}

/** One step of a conversation. */
export type Step =
  /** Over HTTP: a request and its response. */
  | { readonly send: SentRequest; readonly receive: ReceivedResponse }
  /** Over HTTP: a request whose response is a stream that stays open under a name. */
  | { readonly open: string; readonly send: SentRequest; readonly receive: ReceivedResponse }
  /** Over HTTP: the next event on a stream, or its end. */
  | { readonly on: string; readonly event: Members | 'end' }
  /** Over stdio: a line in each direction. */
  | { readonly write: Json }
  | { readonly read: Json }
  /** An action on the server. */
  | { readonly server: string };

/** A conversation. */
export interface Transcript {
  readonly about: string;
  readonly placeholders?: Readonly<Record<string, string>>;
  /** Headers of all its requests. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

/** The environment of a conversation. */
export interface Stage {
  readonly http?: RawHttp;
  readonly stdio?: RawStdio;
  readonly actions: Readonly<Record<string, () => void>>;
}

/** Replays all requests and compares all responses. */
export async function replay(transcript: Transcript, stage: Stage): Promise<void> {
  const { steps } = transcript;
  const replayer = new Replayer(transcript, stage);
  for (const [index, step] of steps.entries()) await replayer.take(step, `step ${index + 1}`);
  expect(replayer.unused).toEqual([]);
}

class Replayer {
  readonly #stage: Stage;
  readonly #names: Placeholders;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #streams = new Map<string, RawStream>();

  constructor({ placeholders, headers = {} }: Transcript, stage: Stage) {
    this.#stage = stage;
    this.#names = new Placeholders(placeholders);
    this.#headers = headers;
  }

  get unused(): string[] {
    return this.#names.unused;
  }

  async take(step: Step, where: string): Promise<void> {
    if ('server' in step) return this.#act(step.server);
    if ('write' in step) return this.#stdio.write(this.#names.resolve(step.write));
    if ('read' in step) return this.#compare(step.read, JSON.parse(await this.#stdio.lines.next()), where);
    if ('on' in step) return this.#hear(step.on, step.event, where);
    if (!('open' in step)) {
      const response = await this.#http.send(this.#fill(step.send));
      return this.#compareResponse(step.receive, response, where);
    }
    const stream = await this.#http.open(this.#fill(step.send));
    this.#streams.set(step.open, stream);
    return this.#compareHead(step.receive, stream, where);
  }

  get #http(): RawHttp {
    if (this.#stage.http === undefined) throw new Error('There is no HTTP here.');
    return this.#stage.http;
  }

  get #stdio(): RawStdio {
    if (this.#stage.stdio === undefined) throw new Error('There is no standard input here.');
    return this.#stage.stdio;
  }

  #act(name: string): void {
    const action = this.#stage.actions[name];
    if (action === undefined) throw new Error(`There is no action ${name}.`);
    action();
  }

  #fill({ method, path, headers = {}, body }: SentRequest): RawRequest {
    const all = Object.entries({ ...this.#headers, ...this.#names.resolve(headers) });
    return {
      method,
      path: this.#names.resolve(path),
      headers: Object.fromEntries(all.map(([name, value]) => [name, value ?? undefined])),
      ...(body === undefined ? {} : { body: this.#names.resolve(body) }),
    };
  }

  async #hear(name: string, expected: Members | 'end', where: string): Promise<void> {
    const stream = this.#streams.get(name);
    if (stream === undefined) throw new Error(`There is no stream ${name}.`);
    if (expected === 'end') return expect(await stream.events.rest(), where).toEqual([]);
    this.#compare(expected, toJson(await stream.events.next()), where);
  }

  #compareResponse(expected: ReceivedResponse, response: RawResponse, where: string): void {
    this.#compareHead(expected, response, where);
    const { body, events } = expected;
    if (events === undefined) this.#compare(body ?? '', bodyOf(response), where);
    else this.#compare(events, eventsOf(response).map(toJson), where);
  }

  #compareHead(
    { status, headers }: ReceivedResponse,
    response: Pick<RawResponse, 'status' | 'headers'>,
    where: string,
  ): void {
    const named = Object.keys(headers).map((name) => [name, response.headers[name] ?? null]);
    this.#compare(
      { status, headers },
      { status: response.status, headers: Object.fromEntries(named) },
      where,
    );
  }

  #compare(expected: Json, actual: unknown, where: string): void {
    expect(actual, where).toStrictEqual(this.#names.expect(expected, actual));
  }
}

function bodyOf({ text, headers }: RawResponse): unknown {
  return headers['content-type'] === 'application/json' ? JSON.parse(text) : text;
}

/** An event with its message parsed. */
function toJson(event: RawEvent): unknown {
  const isMessage = event.data?.startsWith('{') === true;
  return isMessage ? { ...event, data: JSON.parse(event.data ?? '') as Json } : event;
}
