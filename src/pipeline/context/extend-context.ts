import { addToContext } from '../../middleware/add-to-context.ts';
import type { ToolCall } from './call.ts';
import type { CallContext } from './call-context.ts';

/**
 * Adds the members of the registry's context type. Standard members cannot be replaced. Members passed with the call win over those of
 * `createContext`, so that tests can inject their own.
 */
export function extendContext(context: CallContext, given: ToolCall['context'], created?: object): void {
  if (created !== undefined) addToContext(context, created);
  if (given !== undefined) addToContext(context, given);
}
