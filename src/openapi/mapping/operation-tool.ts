import { ownerOfCall } from '../../middleware/parts/caller-identity.ts';
import type { McpToolAnnotations } from '../../model/mcp-types.ts';
import { toHints } from '../../model/tool-annotations.ts';
import type { SchemaNode } from '../../schema/nodes/json-node.ts';
import { hasWideIntegers } from '../../schema/nodes/wide-integers.ts';
import type { JsonSchemaCompiler } from '../../schema/issues/json-schema-compiler.ts';
import type { Clock } from '../../base/time/clock.ts';
import { REGISTRY_DEFAULTS } from '../../tools/compile/tool-settings.ts';
import type { AnyToolDefinition } from '../../tools/tool-definition.ts';
import { hideSecrets } from '../auth/secrets/hide-secrets.ts';
import { tidyText } from '../naming/clean-text.ts';
import { describeOperation } from '../naming/describe-operation.ts';
import type { OperationDescriptionOptions } from '../naming/describe-operation.ts';
import { annotationsOf } from '../naming/method-annotations.ts';
import { documentsRedirect, shownHeadersOf } from '../model/documented-responses.ts';
import type { Operation } from '../model/operation.ts';
import { PagingParameters } from '../response/pagination/pagination-input.ts';
import { CONTINUE_ARGUMENT, readMore, readResponse } from '../response/read-response.ts';
import type { OperationResult, ResponseOptions } from '../response/read-response.ts';
import type { RemainderStore } from '../response/model/remainder-store.ts';
import type { OperationOverride } from '../selection/operation-override.ts';
import { createArgumentSchema, isContinuation } from './argument-schema.ts';
import { buildRequest, compileCall } from './call-operation.ts';
import type { CallableOperation, Calling } from './call-operation.ts';
import type { OutputPlan } from './output-schema.ts';
import type { OperationPlan } from './plan-operation.ts';

/** Settings for formatting responses. */
export interface AnswerSettings {
  readonly maxChars: number;
  readonly maxBinaryBytes: number;
  readonly remainders: RemainderStore;
  readonly clock: Clock;
  readonly onDrift: ((operation: string, problems: readonly string[]) => void) | undefined;
}

/** Parts of a tool. */
export interface OperationToolParts {
  readonly name: string;
  readonly callable: CallableOperation;
  readonly plan: OperationPlan;
  readonly output: OutputPlan | undefined;
  readonly override: OperationOverride;
  readonly tags: readonly string[];
  readonly maxDescription: number;
  readonly stripHtml: boolean;
  readonly answers: AnswerSettings;
  readonly compiler: () => JsonSchemaCompiler;
}

/** Creates the tool of an operation. */
export function toOperationTool(parts: OperationToolParts): AnyToolDefinition {
  const { name, callable, plan, output, override, tags, maxDescription, stripHtml } = parts;
  const { operation } = callable;
  const annotations = toAnnotations(operation.method, override);
  const { scopes, missingScopes, timeoutMs } = override;
  const title = override.title === undefined ? '' : tidyText(override.title);
  // Read-only operations are not confirmed, even if the whole document requests it.
  const confirm = annotations.readOnlyHint === true ? undefined : override.confirm;
  const category = override.category ?? tags[0];
  const tool: Writable<AnyToolDefinition> = {
    name,
    description: describe(operation, override, {
      maxChars: maxDescription,
      stripHtml,
      body: isTakenApart(plan) ? operation.body?.description : undefined,
    }),
    annotations,
    endpoint: tidyText(operation.key),
    tags: override.tags === undefined ? [...new Set(tags)] : [...new Set([...tags, ...override.tags])],
    inputSchema: createArgumentSchema(plan, { ...parts, isContinuable: mayReturnMuch(operation) }),
    // The API decides about unknown members.
    unknownArguments: 'keep',
    handler: createHandler(parts),
  };
  const binaryBytes = resultBytesOf(parts.answers.maxBinaryBytes);
  if (binaryBytes > REGISTRY_DEFAULTS.maxResultBytes) tool.maxResultBytes = binaryBytes;
  // Some clients send objects as strings. Arguments of destructive tools must stay as sent.
  if (annotations.destructiveHint !== true && !takesOnlyStrings(plan)) tool.repairArguments = true;
  if (output !== undefined) tool.outputSchema = output.schema;
  if (title !== '') tool.title = title;
  if (category !== undefined) tool.category = category;
  if (scopes !== undefined) tool.scopes = scopes;
  if (missingScopes !== undefined) tool.missingScopes = missingScopes;
  if (timeoutMs !== undefined) tool.timeoutMs = timeoutMs;
  if (plan.secrets.length > 0) tool.secrets = plan.secrets;
  if (confirm !== undefined) {
    tool.confirm = confirm;
    tool.preview = createPreview(parts);
  }
  return tool;
}

/** Bytes reserved in a result for media type, description and headers. */
const BESIDE_BYTES = 65_536;

/** Size of a result with this many bytes in base64. */
function resultBytesOf(binaryBytes: number): number {
  return Math.ceil(binaryBytes / 3) * 4 + BESIDE_BYTES;
}

/** Whether the body consists of several arguments, so that its description belongs to none of them. */
function isTakenApart({ request: { body } }: OperationPlan): boolean {
  return body?.contents.every(({ source }) => source.kind === 'properties') === true;
}

/** Whether the document has a successful response that can have a body. */
function mayReturnMuch({ statuses }: Operation): boolean {
  return statuses.some((status) => /^(?:2|default$)/i.test(status) && !/^20[45]$/.test(status));
}

/** Whether every argument is a string, so that there is nothing to repair. */
function takesOnlyStrings({ inputSchema }: OperationPlan): boolean {
  return Object.values(inputSchema['properties'] as Readonly<Record<string, SchemaNode>>).every(
    ({ type }) => type === 'string',
  );
}

type Writable<TValue> = { -readonly [TKey in keyof TValue]: TValue[TKey] };

/** Description of the override, else of the document; without hidden characters. */
export function describe(
  operation: Operation,
  { description }: OperationOverride,
  options: OperationDescriptionOptions,
): string {
  const chosen = description === undefined ? '' : tidyText(description);
  return chosen === '' ? describeOperation(operation, options) : chosen;
}

/** Hints of the override remove conflicting hints of the method. */
function toAnnotations(method: string, { annotations }: OperationOverride): McpToolAnnotations {
  if (annotations === undefined) return annotationsOf(method);
  const given = toHints(annotations);
  return {
    ...annotationsOf(method),
    ...(given.readOnlyHint === true ? { destructiveHint: false } : {}),
    ...(given.destructiveHint === true ? { readOnlyHint: false } : {}),
    ...given,
    ...(given.title === undefined ? {} : { title: tidyText(given.title) }),
  };
}

type Input = Readonly<Record<string, unknown>>;

interface HandlerCall {
  readonly input: Input;
  readonly context: Calling;
}

/**
 * Calls the operation and formats its response. Compiled on the first call: of a document with a thousand
 * operations, few are ever called.
 */
function createHandler(parts: OperationToolParts): (call: HandlerCall) => Promise<OperationResult> {
  let run: ReturnType<typeof compileHandler> | undefined;
  return (call) => (run ??= compileHandler(parts))(call);
}

function compileHandler(parts: OperationToolParts): (call: HandlerCall) => Promise<OperationResult> {
  const { callable, plan } = parts;
  const call = compileCall(callable);
  const toSent = compileArguments(plan);
  const shared = settleOptions(parts);
  const parameters = new PagingParameters(plan.query);
  return async ({ input, context }) => {
    const owner = ownerOfCall(context);
    if (isContinuation(input)) return readMore(String(input[CONTINUE_ARGUMENT]), { ...shared, owner });
    const called = await call(toSent(input), context);
    const pagination = { arguments: input, parameters };
    const { answer, url, hide, isHiddenIn } = called;
    return readResponse(answer, { ...shared, owner, pagination, url, hide, isHiddenIn });
  };
}

/** Options for processing the responses of one operation. */
function settleOptions({
  name,
  callable,
  answers,
  override,
  output,
}: OperationToolParts): Omit<ResponseOptions, 'hide' | 'isHiddenIn' | 'owner' | 'pagination' | 'url'> {
  const what = tidyText(callable.operation.key);
  const { select, maxChars = answers.maxChars } = override.response ?? {};
  const { onDrift, maxBinaryBytes, remainders, clock } = answers;
  return {
    what,
    uri: `openapi:${encodeURIComponent(name)}`,
    ...(select === undefined ? {} : { select }),
    maxChars,
    maxBinaryBytes,
    remainders,
    credentialSetting: 'credentials, authProvider or headers of the OpenAPI import (--credential, --headers)',
    structured: output !== undefined,
    shownHeaders: shownHeadersOf(callable.operation),
    documentsRedirect: (status) => documentsRedirect(callable.operation, status),
    ...(output === undefined ? {} : { checkOutput: output.check }),
    ...(onDrift === undefined ? {} : { onDrift: (problems) => tell(onDrift, what, problems) }),
    clock,
  };
}

/** Calls `onDrift`; an error in it must not affect the result. */
function tell(
  onDrift: NonNullable<AnswerSettings['onDrift']>,
  key: string,
  problems: readonly string[],
): void {
  try {
    onDrift(key, problems);
  } catch {
    // The result contains the same information.
  }
}

/** Arguments as they are sent: with fixed values, and with large integers as bigints. */
export function compileArguments({ inputSchema, integers, fixed }: OperationPlan): (input: Input) => Input {
  const hasDigits = hasWideIntegers(inputSchema);
  const always = Object.fromEntries(fixed);
  return (input) => {
    const read = hasDigits ? (integers.convert(input) as Input) : input;
    return fixed.size === 0 ? read : { ...read, ...always };
  };
}

/** Describes the request without sending it. Hides fixed and secret values. */
function createPreview({ callable, plan }: OperationToolParts): (call: HandlerCall) => Promise<string> {
  return async ({ input, context }) => {
    if (isContinuation(input)) return 'This would show the rest of an earlier response.';
    const whole = { ...input, ...Object.fromEntries(plan.fixed) };
    const { method, url } = await buildRequest(callable, compileArguments(plan)(input), context);
    const secrets = new Set(plan.secrets.map((name) => name.replaceAll('\\.', '.')));
    const shown = plan.inputSchema['properties'] as object;
    const hidden = Object.entries(whole)
      .filter(
        ([name, value]) => typeof value === 'string' && (!Object.hasOwn(shown, name) || secrets.has(name)),
      )
      .map(([, value]) => String(value));
    return hideSecrets(`This would send ${method} ${url.href}`, hidden);
  };
}
