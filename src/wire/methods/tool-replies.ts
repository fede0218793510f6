import type { Dialogue } from '../../middleware/dialogue.ts';
import type { McpCallToolResult } from '../../model/mcp-types.ts';
import { toErrorResult } from '../../pipeline/reply/error-result.ts';
import type { ToolReply } from '../../pipeline/reply/tool-reply.ts';
import { withoutUnannounced, wrapResult } from '../../registry/legacy-output.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { fitContent } from '../services/fit-content.ts';
import { stamped } from '../services/method.ts';
import type { Incoming, MethodReply } from '../services/method.ts';
import { ModernDialogue } from '../dialogues/modern-dialogue.ts';
import { busy } from '../messages/rpc-errors.ts';
import { askClient } from './rounds.ts';

type Result = Extract<ToolReply, { kind: 'result' }>;

/** Request, tool and dialogue of a reply. */
interface Origin {
  readonly name: string;
  readonly dialogue: Dialogue;
}

/** Encodes the reply of a tool for the revision. */
export function encodeToolReply(
  incoming: Incoming,
  origin: Origin,
  reply: ToolReply,
): MaybePromise<MethodReply> {
  const { services, exchange } = incoming;
  const isModern = exchange.revision.era === 'modern';
  switch (reply.kind) {
    case 'result':
      return {
        json: isModern
          ? stamped(services.introduction, reply.result, reply.json)
          : encodeLegacy(incoming, origin.name, reply),
      };
    case 'input-required':
      return origin.dialogue instanceof ModernDialogue
        ? askClient(incoming, origin.dialogue)
        : { json: JSON.stringify(toErrorResult(reply, services.errorHandler)) };
    case 'protocol-error': {
      const { code, message, data, reason } = reply;
      // Earlier revisions have no error code for this; the model gets an error result instead.
      if (reason === 'MISSING_CLIENT_CAPABILITY' && !isModern)
        return { json: JSON.stringify(toErrorResult(reply, services.errorHandler)) };
      if (reason === 'INSUFFICIENT_SCOPE')
        return { error: { code, message, data, status: 403, requiredScopes: data?.requiredScopes ?? [] } };
      if (reason === 'BUSY') return { error: busy(message) };
      const status = reason === 'MISSING_CLIENT_CAPABILITY' ? { status: 400 } : {};
      return { error: { code, message, ...(data === undefined ? {} : { data }), ...status } };
    }
    default:
      return reply satisfies never;
  }
}

function encodeLegacy(incoming: Incoming, name: string, { result, json }: Result): string {
  // Fast path: nearly all results have only text, whatever the schema is.
  const shown = result.structuredContent === undefined ? result : fitStructured(incoming, name, result);
  const fitting = fitContent(shown, incoming.exchange.revision);
  return fitting === result && json !== undefined ? json : JSON.stringify(fitting);
}

function fitStructured(
  { services, exchange }: Incoming,
  name: string,
  result: McpCallToolResult,
): McpCallToolResult {
  const outputSchema = services.tools?.findTool(name, exchange.caller)?.outputSchema;
  return outputSchema === undefined ? withoutUnannounced(result) : wrapResult(result, outputSchema);
}
