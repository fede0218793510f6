import { addToContext } from '../../middleware/add-to-context.ts';
import type { ToolCall } from './call.ts';
import type { CallContext } from './call-context.ts';

/**
 * Puts what the registry's context type asks for beside the standard members, which nothing may replace. What comes with the call
 * wins over what `createContext` makes: that is how tests bring their own.
 */
export function extendContext(context: CallContext, given: ToolCall['context'], created?: object): void {
  if (created !== undefined) addToContext(context, created);
  if (given !== undefined) addToContext(context, given);
}
