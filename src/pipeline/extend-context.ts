import { DefinitionError } from '../errors/errors.ts';
import type { ToolCall } from './call.ts';
import type { CallContext } from './call-context.ts';

/** Puts what the registry's context type asks for beside the standard members, which nothing may replace. */
export function extendContext(context: CallContext, additions: ToolCall['context']): void {
  if (additions === undefined || additions === null) return;
  for (const [key, value] of Object.entries(additions)) {
    if (key in context) {
      throw new DefinitionError(
        `The context member "${key}" is taken by Toolwright. Choose another name for it.`,
      );
    }
    Object.defineProperty(context, key, { value, enumerable: true, configurable: true, writable: true });
  }
}
