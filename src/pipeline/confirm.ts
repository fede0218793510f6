import { CallRefusedError } from '../errors/errors.ts';
import { isObject } from '../base/is-object.ts';
import { isCallToolResult } from '../format/content.ts';
import { createSuccess, responseKind } from '../format/tool-response.ts';
import { hash } from '../base/hash.ts';
import { ownerOfCall } from '../middleware/parts/caller-identity.ts';
import { isCapable } from '../middleware/client-capabilities.ts';
import { createId } from '../base/random-id.ts';
import { definePlainSchema } from '../schema/nodes/plain-schema.ts';
import { toBinding } from './confirmation-binding.ts';
import type { CallContext } from './context/call-context.ts';
import { checkOutput } from './check-output.ts';
import type { CompiledTool } from './tool/compiled-tool.ts';
import type { Outcome } from './tool/outcome.ts';
import { runHandler } from './run-handler.ts';

/** The argument with the confirmation token. */
export const CONFIRMATION_ARGUMENT = 'confirmation_token';

/** The arguments without the confirmation token, if the tool requires confirmation. */
export function withoutConfirmation(
  tool: CompiledTool,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (tool.preview === undefined || !Object.hasOwn(given, CONFIRMATION_ARGUMENT)) return given;
  const { [CONFIRMATION_ARGUMENT]: _token, ...rest } = given;
  return rest;
}

/**
 * Runs a call that requires confirmation. Without a token it runs the preview and returns a token. With a token it runs the handler if the
 * token belongs to this call: same server, same tool, same validated arguments, same caller, not expired, never used before.
 */
export async function runConfirmed(
  tool: CompiledTool,
  input: unknown,
  context: CallContext,
): Promise<Outcome> {
  try {
    if (!isRequired(tool, input)) return await runHandler(tool, input, context);
    const binding = await toBinding(tool, input, context);
    const token = context.rawArguments[CONFIRMATION_ARGUMENT];
    if (token === undefined && canAskUser(context)) return await askUser(tool, { input, context }, binding);
    if (token === undefined) return await preview(tool, { input, context }, binding);
    // Removed before it is compared, so that a wrong guess invalidates the token.
    const kept = typeof token === 'string' ? await tool.collaborators.confirmations.take(token) : undefined;
    // defence: confirmation-of-this-call
    if (kept !== binding) return { kind: 'failed', error: refusal() };
    return await runHandler(tool, input, context);
  } catch (error) {
    return { kind: 'failed', error };
  }
}

/** Only `false` skips the confirmation: a predicate that returns a promise or nothing by mistake must not. */
function isRequired({ confirmIf }: CompiledTool, input: unknown): boolean {
  return confirmIf === undefined || !isObject(input) || (confirmIf(input) as unknown) !== false;
}

interface PreviewCall {
  readonly input: unknown;
  readonly context: CallContext;
}

/** The value of a preview, and its text. */
type Shown = { readonly kind: 'shown'; readonly value: unknown; readonly text: string } | Outcome;

async function show(tool: CompiledTool, call: PreviewCall): Promise<Shown> {
  const shown: unknown = await tool.preview?.(call);
  // The output schema does not apply to a preview.
  const checked = await checkOutput({ ...tool, output: undefined }, shown);
  if (checked.kind !== 'value' || (isCallToolResult(shown) && shown.isError === true)) return checked;
  const kind = responseKind(shown);
  const value = kind === 'success' ? (shown as { value: unknown }).value : shown;
  const written = (shown as { text?: unknown } | undefined)?.text;
  if (kind === 'success' && typeof written === 'string') return { kind: 'shown', value, text: written };
  return {
    kind: 'shown',
    value,
    text: value === undefined ? '' : tool.collaborators.responseFormatter.format(value),
  };
}

async function preview(tool: CompiledTool, call: PreviewCall, binding: string): Promise<Outcome> {
  const { confirmationTtlMs } = tool.collaborators;
  const shown = await show(tool, call);
  if (shown.kind !== 'shown') return shown;
  const { value, text } = shown;
  const token = await keepToken(tool, call.context, binding);
  return {
    kind: 'value',
    value: createSuccess({
      value: { [CONFIRMATION_ARGUMENT]: token, expires_in_ms: confirmationTtlMs, preview: value },
      text: `Nothing was done yet. ${text === '' ? '' : `What would be done:\n${text}\n`}To do it, call again with the same arguments and ${CONFIRMATION_ARGUMENT} "${token}" within ${Math.round(confirmationTtlMs / 1000)} s.`,
    }),
  };
}

/** Creates and stores a token for a call. */
async function keepToken(tool: CompiledTool, context: CallContext, binding: string): Promise<string> {
  const { confirmations, confirmationTtlMs } = tool.collaborators;
  const token = createId(18);
  const owner = await hash(ownerOfCall(context));
  await confirmations.put(token, binding, confirmationTtlMs, owner);
  return token;
}

/** Whether the user can be asked directly; then the token does not pass through the model. */
function canAskUser({ client }: CallContext): boolean {
  return isCapable(client, { elicitation: { form: {} } });
}

/** Asks the user. The token is stored, or sealed in the request state: a response counts once, even if its request is sent again. */
async function askUser(tool: CompiledTool, call: PreviewCall, binding: string): Promise<Outcome> {
  const { confirmations } = tool.collaborators;
  const { context } = call;
  let refused: Outcome | undefined;
  const asked = await context.step(`${CONFIRMATION_ARGUMENT}:shown`, async () => {
    const shown = await show(tool, call);
    if (shown.kind !== 'shown') {
      refused = shown;
      return { token: '', text: '', question: '' };
    }
    const token = await keepToken(tool, context, binding);
    // An unpredictable name, so that only a client that received the question can respond to it.
    return { token, text: shown.text, question: `confirm_${createId(8)}` };
  });
  if (refused !== undefined) return refused;
  const answer = await context.ask(asked.question, {
    message: `${tool.name}: ${asked.text === '' ? 'Do it?' : asked.text}`,
    schema: CONSENT,
  });
  const isAgreed = answer.action === 'accept' && (answer.content as { confirm?: unknown }).confirm === true;
  const kept = await confirmations.take(asked.token);
  if (!isAgreed) return { kind: 'failed', error: declined() };
  if (kept !== binding) return { kind: 'failed', error: refusal() };
  return runHandler(tool, call.input, context);
}

/** The form for the user. */
const CONSENT = definePlainSchema(
  {
    type: 'object',
    properties: { confirm: { type: 'boolean', title: 'Do it', description: 'Whether this may be done' } },
    required: ['confirm'],
  },
  (value) =>
    typeof value['confirm'] === 'boolean' ? value : [{ path: ['confirm'], message: 'must be true or false' }],
);

function declined(): CallRefusedError {
  return new CallRefusedError('CONFIRMATION_REFUSED', 'The user declined. Nothing was done.');
}

function refusal(): CallRefusedError {
  return new CallRefusedError(
    'CONFIRMATION_REFUSED',
    'Invalid confirmation: it was already used, has expired, or belongs to other arguments or another caller. Nothing was done.',
    {
      suggestions: [
        `Call again without ${CONFIRMATION_ARGUMENT} to see what would be done and to get a new one.`,
      ],
    },
  );
}
