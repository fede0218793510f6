import { compileChain } from '../../../middleware/compile-chain.ts';
import type { Chain } from '../../../middleware/compile-chain.ts';
import type { PolicySubject } from '../../../middleware/context.ts';
import type { AnyMiddleware } from '../../../middleware/middleware.ts';

/** What runs for one action, before anything stands around it. */
export interface RunnableAction {
  readonly key: string;
  readonly handler: Chain;
  /** Of the group first, then of the action itself. */
  readonly middleware: readonly AnyMiddleware[];
  readonly subject: PolicySubject;
}

/** What {@link compileMiddleware} puts together. */
export interface MiddlewareCompilerInput {
  readonly actions: readonly RunnableAction[];
  /** Around all actions: of the registry first, then of the tool. */
  readonly global: readonly AnyMiddleware[];
}

/** One composed function per action: global middleware outermost, then that of the group and the action, then the handler. */
export function compileMiddleware({ actions, global }: MiddlewareCompilerInput): ReadonlyMap<string, Chain> {
  return new Map(
    actions.map(({ key, handler, middleware, subject }) => [
      key,
      compileChain(handler, [...global, ...middleware], subject),
    ]),
  );
}
