import type { McpGetPromptResult } from '../../model/mcp-types.ts';
import { fitBlock } from '../services/fit-content.ts';
import { toReply } from '../services/method.ts';
import type { Incoming, Method, MethodReply } from '../services/method.ts';
import { invalidParams, methodNotFound } from '../messages/rpc-errors.ts';
import { encodeComponentReply } from './component-replies.ts';
import { toCall } from './call-parts.ts';
import { isDialogue, openDialogue } from './rounds.ts';

/** `prompts/get`. */
export const getPrompt: Method = async (incoming): Promise<MethodReply> => {
  const { services, request } = incoming;
  if (services.prompts === undefined) return { error: methodNotFound(request.method) };
  const { name, arguments: args } = request.params ?? {};
  if (typeof name !== 'string')
    return { error: invalidParams('Invalid params: name must be the name of a prompt.') };
  const dialogue = await openDialogue(incoming);
  if (!isDialogue(dialogue)) return dialogue;
  const reply = await services.prompts.getPrompt(toCall(incoming, dialogue, { name, arguments: args }));
  return encodeComponentReply(incoming, {
    dialogue,
    reply,
    encode: (value) => toReply(incoming, fit(incoming, value)),
  });
};

function fit({ exchange }: Incoming, result: McpGetPromptResult): McpGetPromptResult {
  const { revision } = exchange;
  if (revision.hasAudio && revision.hasResourceLinks) return result;
  const messages = result.messages.map((message) => ({
    ...message,
    content: fitBlock(message.content, revision),
  }));
  return { ...result, messages };
}
