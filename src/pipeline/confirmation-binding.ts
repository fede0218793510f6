import { hash } from '../base/hash.ts';
import { ToolwrightError } from '../errors/errors.ts';
import { toExactText } from '../format/exact-text.ts';
import { authorizationOf } from '../middleware/parts/caller-identity.ts';
import type { CallContext } from './context/call-context.ts';
import type { CompiledTool } from './tool/compiled-tool.ts';

/** Maximum length of arguments that can be confirmed, in characters. */
const MAX_CHARS = 4_194_304;

/** The digest of a call that a token is bound to. A digest, because arguments may be secret and stores may be shared. */
export async function toBinding(tool: CompiledTool, input: unknown, context: CallContext): Promise<string> {
  const text = toExactText(input, MAX_CHARS);
  if (text === undefined) {
    throw new ToolwrightError(
      'INVALID_DEFINITION',
      `The arguments of "${tool.name}" cannot be bound to a confirmation: they are too long, or the schema transforms them into values that cannot be compared.`,
    );
  }
  return await hash(
    JSON.stringify([
      tool.name,
      // defence: owner-of-a-confirmation
      authorizationOf(context),
      text,
    ]),
  );
}
