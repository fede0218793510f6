import { createBudgetApi } from '../../src/index.ts';
import type { BudgetApi, BudgetApiOptions } from '../../src/index.ts';

/** The date of the tests. */
export const TODAY = '2026-11-18';

/** A clock that moves only when a test moves it. */
export class TestClock {
  time = Date.UTC(2026, 10, 18, 12);

  now(): number {
    return this.time;
  }

  advance(ms: number): void {
    this.time += ms;
  }
}

export interface Reply<T> {
  readonly status: number;
  readonly body: T;
  readonly headers: Headers;
}

export interface OpenApi {
  readonly api: BudgetApi;
  readonly clock: TestClock;
  /** Sends a request; `route` is the method and the path below `/v1`. */
  send<T>(route: string, body?: unknown, token?: string): Promise<Reply<T>>;
  /** The body of a response that must be successful. */
  ok<T>(route: string, body?: unknown): Promise<T>;
  /** The detail of a response that must be a 400. */
  rejected(route: string, body?: unknown): Promise<string>;
}

/** An API in memory with the token `token`. */
export function openApi(options: Partial<BudgetApiOptions> = {}): OpenApi {
  const clock = new TestClock();
  const api = createBudgetApi({
    file: ':memory:',
    clock,
    tokens: ['token'],
    requestsPerHour: 1_000_000,
    ...options,
  });
  const send = async <T>(route: string, body?: unknown, token = 'token'): Promise<Reply<T>> => {
    const [method = '', path = ''] = route.split(' ');
    const request = new Request(`http://localhost/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const response = await api.fetch(request);
    // The caller names the type of the operation's response.
    return { status: response.status, body: (await response.json()) as T, headers: response.headers };
  };
  return {
    api,
    clock,
    send,
    ok: async <T>(route: string, body?: unknown) => {
      const reply = await send<T>(route, body);
      if (reply.status >= 300) throw new Error(`${route}: ${reply.status} ${JSON.stringify(reply.body)}`);
      return reply.body;
    },
    rejected: async (route, body) => {
      const reply = await send<{ error?: { name: string; detail: string } }>(route, body);
      if (reply.status !== 400 || reply.body.error?.name !== 'bad_request')
        throw new Error(`${route}: expected a 400, got ${reply.status} ${JSON.stringify(reply.body)}`);
      return reply.body.error.detail;
    },
  };
}
