import { createHash } from 'node:crypto';
import { vi } from 'vitest';
import type { StandardContext, PolicySubject } from '../../../../src/middleware/context.ts';
import type { AnyMiddleware } from '../../../../src/middleware/middleware.ts';
import { CallContext } from '../../../../src/pipeline/context/call-context.ts';
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

/** The context of a call as the pipeline creates it, with its log. */
export class TestContext extends CallContext {
  readonly #logged: LogEntry[];

  constructor(
    given: { accessToken?: string; principal?: StandardContext['principal']; traceparent?: string } = {},
  ) {
    const { accessToken, principal, traceparent } = given;
    const { logger, entries } = recordLog();
    const parts = {
      name: 'things',
      server: 'things',
      operation: 'things',
      subject: subjectOf(),
      log: logger,
      cache: createCacheHelpers(new MemoryCacheStore()),
      collaborators: {} as never,
    };
    super(parts, { name: 'things', accessToken, principal, meta: { traceparent } }, {});
    this.#logged = entries;
  }

  /** Not an own member: a context of the pipeline has only the standard ones. */
  get logged(): LogEntry[] {
    return this.#logged;
  }
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

/** Replaces the hash, which runs on another thread: the order would be random. */
export function hashInOrder(): void {
  vi.spyOn(globalThis.crypto.subtle, 'digest').mockImplementation((_, data) => {
    const { buffer } = new Uint8Array(
      createHash('sha256')
        .update(data as Uint8Array)
        .digest(),
    );
    return Promise.resolve(buffer);
  });
}
