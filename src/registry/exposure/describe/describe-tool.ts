import { CallRefusedError } from '../../../errors/errors.ts';
import type { ToolContext } from '../../../middleware/context.ts';
import type { McpTool } from '../../../model/mcp-types.ts';
import type { Caller } from '../../../pipeline/tool/policy.ts';
import { definePlainSchema } from '../../../schema/nodes/plain-schema.ts';
import type { PlainIssue } from '../../../schema/nodes/plain-schema.ts';
import type { AnyToolDefinition } from '../../../tools/tool-definition.ts';
import { EXTENT_PROPERTIES, extentIssues } from './describe-arguments.ts';
import type { Extent } from './describe-arguments.ts';
import { budgetBeside, describePart, describeWithin } from './describe-within.ts';
import type { DescribeBudget } from './describe-within.ts';

/** The tools that can be described, and the budget of a description. */
export interface DescribeScope {
  readonly names: { readonly search: string; readonly describe: string; readonly call: string };
  readonly budget: DescribeBudget;
  /** The listed tool of this name, if visible to the caller. */
  readonly find: (name: string, caller: Caller) => McpTool | undefined;
  readonly suggest: (name: string, caller: Caller) => string[];
}

const MAX_NAMES = 10;

/** Describes the arguments of tools: within the budget, one part, or whole. */
export function describeTool(scope: DescribeScope): AnyToolDefinition {
  const { search, describe, call } = scope.names;
  return {
    name: describe,
    title: 'Describe tools',
    description: `Returns the arguments of tools as JSON Schema. Takes names that ${search} has found; call them with ${call}. Deep parts of long schemas are left out.`,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    inputSchema: NAMES,
    handler: ({ input, context }: DescribeCall) => {
      const found = input.names.map((name) => ({ name, tool: scope.find(name, context) }));
      const tools = found.flatMap(({ tool }) => (tool === undefined ? [] : [tool]));
      const unknown = found.filter(({ tool }) => tool === undefined).map(({ name }) => name.slice(0, 128));
      const [first = ''] = unknown;
      if (tools.length === 0)
        throw new CallRefusedError('UNKNOWN_TOOL', `Unknown tool: ${first}`, {
          suggestions: scope.suggest(first, context),
        });
      return { ...answer(tools, input, scope), ...(unknown.length === 0 ? {} : { unknown }) };
    },
  };
}

interface DescribeCall {
  readonly input: Extent & { readonly names: readonly string[] };
  readonly context: ToolContext;
}

function answer(tools: readonly McpTool[], { path, whole }: Extent, scope: DescribeScope): object {
  const { budget, names } = scope;
  const note = noteOf(names.describe);
  const [first] = tools;
  if (whole && path === undefined) return { tools };
  if (path !== undefined && first !== undefined) {
    const frame = { name: first.name, path };
    const { schema, isWhole } = describePart(first, path, budgetBeside({ ...frame, note }, budget, whole));
    return { ...frame, schema, ...(isWhole ? {} : { note }) };
  }
  let { maxTokens: left } = budgetBeside({ tools: [], note }, budget);
  let isWhole = true;
  const described = tools.map((tool, index) => {
    // Tokens that one tool does not need are left for the next ones.
    const share = left / (tools.length - index);
    const part = describeWithin(tool, { ...budget, maxTokens: share });
    left -= budget.measure(JSON.stringify(part.value));
    isWhole &&= part.isWhole;
    return part.value;
  });
  return { tools: described, ...(isWhole ? {} : { note }) };
}

function noteOf(describe: string): string {
  return `Deep parts are left out. ${describe} with one name and a path (an x-path) returns a part; with "whole": true, everything.`;
}

const NAMES = definePlainSchema(
  {
    type: 'object',
    properties: {
      names: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: MAX_NAMES },
      ...EXTENT_PROPERTIES,
    },
    required: ['names'],
  },
  ({ names, path, whole = false }) => {
    const issues: PlainIssue[] = extentIssues({ path, whole });
    const isList = Array.isArray(names) && names.length > 0 && names.length <= MAX_NAMES;
    if (!isList || !names.every((name) => typeof name === 'string'))
      issues.push({ path: ['names'], message: `must be an array of 1 to ${MAX_NAMES} names` });
    else if (path !== undefined && new Set(names).size > 1)
      issues.push({ path: ['names'], message: 'must be one name when path is used' });
    return issues.length > 0 ? issues : { names: [...new Set(names as string[])], path, whole };
  },
);
