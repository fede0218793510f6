import { compileChain } from '../../../middleware/compile-chain.ts';
import type { Chain } from '../../../middleware/compile-chain.ts';
import type { PolicySubject } from '../../../middleware/context.ts';
import type { AnyMiddleware } from '../../../middleware/middleware.ts';

/** The handler of one action with its own middleware. */
export interface RunnableAction {
  readonly key: string;
  readonly handler: Chain;
  /** Middleware of the group, then of the action. */
  readonly middleware: readonly AnyMiddleware[];
  readonly subject: PolicySubject;
}

/** Input of {@link compileMiddleware}. */
export interface MiddlewareCompilerInput {
  readonly actions: readonly RunnableAction[];
  /** Middleware around all actions: of the registry, then of the tool. */
  readonly global: readonly AnyMiddleware[];
}

/**
 * Composes one function per action: global middleware outermost, then that of the group and the action, then the
 * handler.
 */
export function compileMiddleware({ actions, global }: MiddlewareCompilerInput): ReadonlyMap<string, Chain> {
  return new Map(
    actions.map(({ key, handler, middleware, subject }) => [
      key,
      compileChain(handler, [...global, ...middleware], subject),
    ]),
  );
}
