import { FaultyProxy } from './faulty-proxy.ts';
import { startStack, TestClock, TOKEN } from './stack.ts';
import type { Stack, StackOptions } from './stack.ts';

export interface Outcome {
  readonly text: string;
  readonly isError: boolean;
  /** The code of an error. */
  readonly code: string | undefined;
  readonly retryAfterMs: number | undefined;
  /** The whole result, to search it for secrets. */
  readonly raw: string;
}

/** A stack with a proxy in front of the API. */
export interface ProxiedStack extends Stack {
  readonly proxy: FaultyProxy;
  readonly proxyUrl: string;
  readonly clock: TestClock;
  /** Calls a tool, and returns its result or error. */
  outcome(
    name: string,
    args?: Readonly<Record<string, unknown>>,
    options?: { readonly token?: string },
  ): Promise<Outcome>;
}

export const HOUSEHOLD = '029bbc7b-3b6e-474d-8992-c9e82e12a8b4';
export const CHECKING = 'c05d2aa1-aa39-4c3f-ac6a-1ccd7cbfb372';
export const VISA = '50d0641b-b45b-4398-b216-cb6c4d40bcfc';
export const TOKYO = '55ed4cf3-9ac2-48c5-b26d-5c159a3a4511';

export async function startProxied(options: StackOptions = {}): Promise<ProxiedStack> {
  const proxy = new FaultyProxy();
  const clock = new TestClock();
  let proxyUrl = '';
  const stack = await startStack({
    clock,
    between: async (url) => (proxyUrl = await proxy.start(url)),
    ...options,
    environment: { YNAB_DEFAULT_BUDGET_ID: HOUSEHOLD, ...options.environment },
  });
  return {
    ...stack,
    proxy,
    proxyUrl,
    clock,
    outcome: async (name, args = {}, { token = TOKEN } = {}) => {
      const result = await stack.server.tools?.executeTool({
        name,
        arguments: args,
        accessToken: token,
      });
      const blocks = result?.content.map((block) => (block.type === 'text' ? block.text : '')) ?? [];
      const details = result?._meta?.['toolwright/error'] as
        | { readonly code: string; readonly retryAfterMs?: number }
        | undefined;
      return {
        text: blocks.join('\n'),
        isError: result?.isError === true,
        code: details?.code,
        retryAfterMs: details?.retryAfterMs,
        raw: JSON.stringify(result),
      };
    },
    close: async () => {
      await stack.close();
      await proxy.close();
    },
  };
}
