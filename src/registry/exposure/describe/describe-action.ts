import { CallRefusedError } from '../../../errors/errors.ts';
import { findNearestNames } from '../../../errors/nearest-names.ts';
import type { ToolContext } from '../../../middleware/context.ts';
import type { Caller } from '../../../pipeline/tool/policy.ts';
import { definePlainSchema } from '../../../schema/nodes/plain-schema.ts';
import type { Schema } from '../../../schema/nodes/schema-types.ts';
import type { DescribeArguments } from '../../../tools/grouped/brief/describe-action-names.ts';
import { describeArguments } from '../../../tools/grouped/brief/describe-action-names.ts';
import type { AnyToolDefinition } from '../../../tools/tool-definition.ts';
import { EXTENT_PROPERTIES, extentIssues } from './describe-arguments.ts';
import type { Extent } from './describe-arguments.ts';
import { budgetBeside, describePart, describeWithin } from './describe-within.ts';
import type { Describable, DescribeBudget } from './describe-within.ts';

/** The actions of a grouped tool, and the budget of their descriptions. */
export interface ActionScope {
  /** The name of the grouped tool. */
  readonly tool: string;
  readonly discriminator: string;
  readonly budget: DescribeBudget;
  /** The action of this key, if visible to the caller. */
  readonly find: (key: string, caller: Caller) => Describable | undefined;
  /** The keys of all actions visible to the caller. */
  readonly keysOf: (caller: Caller) => readonly string[];
}

/** The action of a grouped tool that describes the others. */
export function describeAction(scope: ActionScope): AnyToolDefinition {
  const names = describeArguments(scope.discriminator);
  return {
    name: `${scope.tool}.describe`,
    description: `Returns the arguments of an action of ${scope.tool} as JSON Schema.`,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    inputSchema: toSchema(names),
    handler: ({ input, context }: DescribeCall) => {
      const action = scope.find(input.of, context);
      if (action === undefined) throw toUnknown(input.of, scope.keysOf(context), names);
      return answer(action, input, scope);
    },
  };
}

/** The schema of an action's arguments, for errors about invalid arguments. */
export function helpWith(key: string, action: Describable, scope: ActionScope): string {
  const note = ` ${noteOf(scope.discriminator)}`;
  const within = budgetBeside({ key, note }, scope.budget);
  const { value, isWhole } = describeWithin({ inputSchema: action.inputSchema }, within);
  const { inputSchema } = value as Describable;
  return `The arguments of ${key} as JSON Schema: ${JSON.stringify(inputSchema)}${isWhole ? '' : note}`;
}

interface DescribeCall {
  readonly input: Extent & { readonly of: string };
  readonly context: ToolContext;
}

function answer(
  action: Describable,
  { of, path, whole }: DescribeCall['input'],
  { budget, discriminator }: ActionScope,
): object {
  const note = noteOf(discriminator);
  const frame = { [discriminator]: of, ...(path === undefined ? {} : { path }) };
  const within = budgetBeside({ ...frame, note }, budget, whole);
  if (path !== undefined) {
    const { schema, isWhole } = describePart(action, path, within);
    return { ...frame, schema, ...(isWhole ? {} : { note }) };
  }
  const { value, isWhole } = describeWithin(action, within);
  return { ...frame, ...value, ...(isWhole ? {} : { note }) };
}

function noteOf(discriminator: string): string {
  const { path, whole } = describeArguments(discriminator);
  return `Deep parts are left out. The same call with "${path}" (an x-path) returns a part; with "${whole}": true, everything.`;
}

/** The error for an unknown or hidden action. */
function toUnknown(of: string, available: readonly string[], names: DescribeArguments): CallRefusedError {
  const near = findNearestNames(of, available).map((name) => `Did you mean "${name}"?`);
  return new CallRefusedError('INVALID_ARGUMENTS', `Unknown action in "${names.of}".`, {
    suggestions: near.length > 0 ? near : [`Available: ${available.slice(0, MAX_NAMED).join(', ')}`],
  });
}

/** Maximum number of action names in an error. */
const MAX_NAMED = 200;

function toSchema(names: DescribeArguments): Schema {
  return definePlainSchema(
    {
      type: 'object',
      properties: {
        [names.of]: { type: 'string', description: 'The action to describe.' },
        [names.path]: EXTENT_PROPERTIES['path'],
        [names.whole]: EXTENT_PROPERTIES['whole'],
      },
      required: [names.of],
    },
    (given) => {
      const { [names.of]: of, [names.path]: path, [names.whole]: whole = false } = given;
      const issues = extentIssues({ path, whole });
      if (typeof of !== 'string')
        issues.push({ path: [names.of], message: 'is required: the action to describe' });
      return issues.length > 0 ? issues : { of, path, whole };
    },
  );
}
