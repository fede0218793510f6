import { isObject } from '../base/is-object.ts';
import { DefinitionError, ValidationError } from '../errors/errors.ts';
import type { Issue } from '../errors/issue.ts';
import { findNearestNames, suggest } from '../errors/nearest-names.ts';
import { assertValues, required, STRING } from '../errors/options/rules.ts';
import type { Rules } from '../errors/options/rules.ts';
import type { Caller } from '../pipeline/tool/policy.ts';
import type { StandardSchema } from '../schema/nodes/schema-types.ts';
import { compileCall } from './mapping/call-operation.ts';
import { createArgumentSchema, isContinuation } from './mapping/argument-schema.ts';
import { compileArguments } from './mapping/operation-tool.ts';
import type { OperationToolParts } from './mapping/operation-tool.ts';
import type { Operation } from './model/operation.ts';
import { tidyText } from './naming/clean-text.ts';
import type { ReadOperation } from './operations/read-operations.ts';
import { CONTINUE_ARGUMENT } from './response/read-response.ts';
import { readWholeBody } from './response/whole-body.ts';

/** Options of {@link OpenApiImport.call}. */
export interface OperationCallOptions {
  /** Cancels the request. Pass `context.signal` in a handler. */
  readonly signal?: AbortSignal;
  /**
   * Caller whose credentials are used, if credentials depend on the caller. Pass `context` in a handler. Default:
   * an anonymous caller.
   */
  readonly caller?: Pick<Caller, 'accessToken' | 'principal'>;
}

/** The response of an API to a call of an operation, with any status. */
export interface OperationResponse<TBody = unknown> {
  readonly status: number;
  /** Whether the status is from 200 to 299. */
  readonly ok: boolean;
  readonly headers: Headers;
  /** Parsed JSON, a string, a `Uint8Array`, or undefined if there is no body. */
  readonly body: TBody;
}

/** Calls an operation by its name, its `operationId` or its key. */
type CallByName = (
  operation: string,
  args?: Readonly<Record<string, unknown>>,
  options?: OperationCallOptions,
) => Promise<OperationResponse>;

type Call = (
  args: Readonly<Record<string, unknown>>,
  options: OperationCallOptions,
) => Promise<OperationResponse>;

/**
 * Plans of operations by name, id and key. A plan is created on first use, and throws if the operation was
 * rejected.
 */
type OperationPlans = ReadonlyMap<string, () => OperationToolParts>;

/** Indexes operations by id, key and name. If two share an id, it refers to the one whose tool has that name. */
export function indexPlans(
  operations: readonly ReadOperation[],
  names: ReadonlyMap<Operation, string>,
  plan: (operation: Operation, name: string) => OperationToolParts,
): OperationPlans {
  const ids = new Map<string, () => OperationToolParts>();
  const others = new Map<string, () => OperationToolParts>();
  for (const each of operations) {
    if ('refused' in each) {
      others.set(each.key, () => {
        throw new DefinitionError(each.refused);
      });
      continue;
    }
    const { operation } = each;
    const name = names.get(operation) ?? operation.key;
    const make = (): OperationToolParts => plan(operation, name);
    ids.set(operation.operationId ?? operation.key, make);
    others.set(operation.key, make).set(name, make);
  }
  return new Map([...ids, ...others]);
}

/** Compiles the calls of operations, each on first use. */
export function createCaller(plans: OperationPlans): CallByName {
  const calls = new Map<() => OperationToolParts, Call>();
  return async (operation, args = {}, options = {}) => {
    assertValues('call', { operation, args, options }, PARAMETERS);
    const plan = plans.get(operation);
    if (plan === undefined) throw toUnknown(operation, plans);
    const call = calls.get(plan) ?? compile(plan());
    calls.set(plan, call);
    return call(args, options);
  };
}

const PARAMETERS: Rules = {
  operation: required(STRING),
  args: [isObject, 'an object'],
  options: [isObject, 'an object'],
};

function compile(parts: OperationToolParts): Call {
  const { callable, plan } = parts;
  const { validate } = (createArgumentSchema(plan, { ...parts, isContinuable: false }) as StandardSchema)[
    '~standard'
  ];
  const toSent = compileArguments(plan);
  const send = compileCall(callable);
  const what = tidyText(callable.operation.key);
  return async (args, { signal = NEVER, caller }) => {
    if (isContinuation(args)) throw toInvalid(what, [NO_CONTINUATION]);
    const checked = (await validate(args)) as Checked;
    if (checked.issues !== undefined) throw toInvalid(what, checked.issues);
    const calling = { signal, principal: caller?.principal, accessToken: caller?.accessToken };
    const { answer, hide, isHiddenIn } = await send(toSent(checked.value), calling).catch(
      (error: unknown) => {
        throw error instanceof ValidationError ? toInvalid(what, error.issues) : error;
      },
    );
    const { status } = answer;
    const headers = [...answer.headers].map(([name, value]): [string, string] => [
      name,
      hide?.(value) ?? value,
    ]);
    return {
      status,
      ok: status >= 200 && status < 300,
      headers: new Headers(headers),
      body: readWholeBody(answer, { what, hide, isHiddenIn }),
    };
  };
}

/** Result of validating the arguments. */
type Checked =
  | { readonly issues: readonly Issue[] }
  | { readonly issues?: undefined; readonly value: Readonly<Record<string, unknown>> };

const { signal: NEVER } = new AbortController();

const NO_CONTINUATION: Issue = {
  path: [CONTINUE_ARGUMENT],
  message: 'is an argument of tools only: call() returns whole responses.',
};

/**
 * A bug in the calling code, not in the arguments of its tool: a `ValidationError` would be reported to the model.
 */
function toInvalid(what: string, issues: readonly Issue[]): DefinitionError {
  const lines = issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  return new DefinitionError(`Invalid arguments for ${what}: ${lines.join('; ')}`, {
    findings: issues.map((issue) => ({ ...issue, reason: 'invalid-option', option: 'args' })),
  });
}

const MAX_LISTED = 20;

function toUnknown(operation: string, plans: OperationPlans): DefinitionError {
  // Each operation once, by its id or else its key; ids and keys come first in the index.
  const first = new Map<() => OperationToolParts, string>();
  for (const [name, plan] of plans) if (!first.has(plan)) first.set(plan, tidyText(name));
  const known = [...first.values()];
  const expected = findNearestNames(operation, plans.keys());
  const more = known.length > MAX_LISTED ? ` and ${known.length - MAX_LISTED} more` : '';
  const list = known.length === 0 ? '' : ` Operations: ${known.slice(0, MAX_LISTED).join(', ')}${more}.`;
  return new DefinitionError(
    `call: the document has no operation "${operation}".${suggest(expected)}${list}`,
    { reason: 'unknown-operation', option: 'operation', expected, received: operation },
  );
}
