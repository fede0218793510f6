import type { StandardContext, PolicySubject } from '../../../../src/middleware/context.ts';
import type { AnyMiddleware } from '../../../../src/middleware/middleware.ts';
import { compileChain } from '../../../../src/middleware/compile-chain.ts';
import { createCacheHelpers } from '../../../../src/stores/cache-helpers.ts';
import { MemoryCacheStore } from '../../../../src/stores/cache-store.ts';
import { recordLog } from '../../../support/log-recorder.ts';
import type { LogEntry } from '../../../support/log-recorder.ts';

/** A tool without hints. */
export function subjectOf(given: Partial<PolicySubject> = {}): PolicySubject {
  return {
    name: 'things',
    tool: 'things',
    action: undefined,
    tags: [],
    scopes: [],
    category: undefined,
    namespace: 'default',
    operation: 'things',
    isReadOnly: false,
    isDestructive: false,
    isIdempotent: false,
    ...given,
  };
}

/** The context of a call as the pipeline creates it: the signal is a getter of the class. */
export class TestContext implements StandardContext {
  readonly name = 'things';
  readonly action = undefined;
  readonly operation = 'things';
  readonly accessToken: string | undefined;
  readonly principal: StandardContext['principal'];
  readonly requestId = undefined;
  readonly http = undefined;
  readonly rawArguments = {};
  readonly progress = (): Promise<void> => Promise.resolve();
  readonly log: StandardContext['log'];
  readonly cache: StandardContext['cache'] = createCacheHelpers(new MemoryCacheStore());
  readonly client = { name: undefined, version: undefined, capabilities: {}, protocolVersion: undefined };
  readonly traceparent: string | undefined = undefined;
  readonly tracestate = undefined;
  readonly baggage = undefined;
  readonly ask = (): never => unavailable();
  readonly askUrl = (): never => unavailable();
  readonly askModel = (): never => unavailable();
  readonly askRoots = (): never => unavailable();
  readonly step: StandardContext['step'] = async (_name, run) => (await run()) as never;
  readonly startTask = (): Promise<void> => Promise.resolve();
  readonly sendLog = (): Promise<void> => Promise.resolve();
  readonly releaseStream = (): void => {};
  readonly #logged: LogEntry[];
  readonly #controller = new AbortController();

  constructor(given: { accessToken?: string; principal?: StandardContext['principal'] } = {}) {
    this.accessToken = given.accessToken;
    this.principal = given.principal;
    const { logger, entries } = recordLog();
    this.log = logger;
    this.#logged = entries;
  }

  /** Not an own member: a context of the pipeline has only the standard ones. */
  get logged(): LogEntry[] {
    return this.#logged;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason?: unknown): void {
    this.#controller.abort(reason);
  }
}

function unavailable(): never {
  throw new Error('nobody can be asked here');
}

/** The parameter of a handler in these tests. */
export interface TestCall {
  readonly input: unknown;
  readonly context: StandardContext;
}

/** The chain as a function of input and context. */
export function chainOf(
  handler: (call: TestCall) => unknown,
  middleware: readonly AnyMiddleware[],
  subject: PolicySubject = subjectOf(),
): (input?: unknown, context?: StandardContext) => Promise<unknown> {
  const chain = compileChain(handler, middleware, subject) as unknown as (call: TestCall) => unknown;
  return async (input = {}, context = new TestContext()) => chain({ input, context });
}

/** A promise with its resolve and reject functions. */
export function deferred<TValue = unknown>(): {
  readonly promise: Promise<TValue>;
  readonly resolve: (value: TValue) => void;
  readonly reject: (error: unknown) => void;
} {
  let resolve: (value: TValue) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<TValue>((...settle) => {
    [resolve, reject] = settle;
  });
  return { promise, resolve, reject };
}

/** Runs everything that does not wait for external events. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
