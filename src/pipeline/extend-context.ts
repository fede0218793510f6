import { DefinitionError } from '../errors/errors.ts';
import type { ToolCall } from './call.ts';
import type { CallContext } from './call-context.ts';

/**
 * Puts what the registry's context type asks for beside the standard members, which nothing may replace. What comes with the call
 * wins over what `createContext` makes: that is how tests bring their own.
 */
export function extendContext(context: CallContext, given: ToolCall['context'], created?: object): void {
  if (given === undefined && created === undefined) return;
  for (const [key, value] of Object.entries({ ...created, ...given })) {
    if (key in context) {
      throw new DefinitionError(
        `The context member "${key}" is taken by Toolwright. Choose another name for it.`,
      );
    }
    Object.defineProperty(context, key, { value, enumerable: true, configurable: true, writable: true });
  }
}
