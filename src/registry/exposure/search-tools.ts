import { findNearestNames } from '../../errors/nearest-names.ts';
import type { ToolContext } from '../../middleware/context.ts';
import { guard } from '../../pipeline/visibility/guard.ts';
import type { Caller } from '../../pipeline/tool/policy.ts';
import { definePlainSchema } from '../../schema/nodes/plain-schema.ts';
import type { PlainIssue } from '../../schema/nodes/plain-schema.ts';
import type { CatalogEntry } from '../../tools/compile/catalog-entry.ts';
import type { AnyToolDefinition } from '../../tools/tool-definition.ts';
import type { SearchToolNames } from './exposure.ts';
import type { SearchHit, SearchIndex } from './search/search-index.ts';

/** The scope of the search tools. */
export interface SearchScope {
  readonly names: SearchToolNames;
  /** By canonical name. */
  readonly entries: ReadonlyMap<string, CatalogEntry>;
  /** The index for all callers, created on the first search. */
  readonly index: () => Promise<SearchIndex>;
}

const DEFAULT_LIMIT = 5;
const MAX_LIMIT = 25;
const MAX_QUERY = 500;
const MAX_QUERIES = 8;

/** The entry of this name, if visible to the caller. */
export function findVisible(scope: SearchScope, name: string, caller: Caller): CatalogEntry | undefined {
  const entry = scope.entries.get(name);
  return entry !== undefined && guard(entry.tool, caller) ? entry : undefined;
}

/** Similar names visible to the caller, as suggestions. */
export function suggest(scope: SearchScope, name: string, caller: Caller): string[] {
  const isVisible = (known: string): boolean => findVisible(scope, known, caller) !== undefined;
  const near = findNearestNames(name, scope.entries.keys(), isVisible);
  return [...near.map((known) => `Did you mean "${known}"?`), `Find names with ${scope.names.search}.`];
}

/** The tool that finds actions. */
export function searchTool(scope: SearchScope): AnyToolDefinition {
  const { search, describe, call } = scope.names;
  return {
    name: search,
    title: 'Search tools',
    description: `Finds tools by what they do. Say in plain words what you want to do, best in two or three phrasings; then use ${describe} to see how a tool is called and ${call} to call it.`,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    inputSchema: QUERY,
    handler: async ({ input, context }: SearchCall) => {
      const index = await scope.index();
      const isVisible = (name: string): boolean => findVisible(scope, name, context) !== undefined;
      const hits = index.search([input.query, ...input.queries], { limit: input.limit, isVisible });
      if (hits.length === 0)
        return { tools: [], hint: 'No tool matches. Try other words for what you want to do.' };
      return { tools: hits.map((hit) => summarize(scope, hit)) };
    },
  };
}

/** The call tool as listed. Its calls are routed, not handled: see `project-search.ts`. */
export function callTool({ names: { search, describe, call } }: SearchScope): AnyToolDefinition {
  return {
    name: call,
    title: 'Call a tool',
    description: `Calls a tool that ${search} has found, with the arguments that ${describe} has shown.`,
    inputSchema: CALL,
    handler: () => undefined,
  };
}

interface SearchCall {
  readonly input: { readonly query: string; readonly queries: readonly string[]; readonly limit: number };
  readonly context: ToolContext;
}

/** Enough to choose a tool, and usually to call it; `describe` returns the complete schema. */
function summarize(scope: SearchScope, { name }: SearchHit): Record<string, unknown> {
  const entry = scope.entries.get(name);
  if (entry === undefined) return { name };
  const { definition, listed, tool } = entry;
  const { properties, required } = listed.inputSchema as {
    properties?: object;
    required?: readonly string[];
  };
  const args = Object.keys(properties ?? {}).map((key) =>
    required?.includes(key) === true ? `${key}*` : key,
  );
  return {
    name,
    description: definition.description,
    ...(args.length === 0 ? {} : { arguments: args.join(', ') }),
    ...(tool.subject.isDestructive ? { destructive: true } : {}),
  };
}

const QUERY = definePlainSchema(
  {
    type: 'object',
    properties: {
      query: {
        type: 'string',
        minLength: 1,
        maxLength: MAX_QUERY,
        description: 'What you want to do, in plain words.',
      },
      queries: {
        type: 'array',
        items: { type: 'string', minLength: 1, maxLength: MAX_QUERY },
        maxItems: MAX_QUERIES,
        description: 'The same in other words. The results are merged.',
      },
      limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
    },
    required: ['query'],
  },
  ({ query, queries = [], limit = DEFAULT_LIMIT }) => {
    const issues: PlainIssue[] = [];
    if (!isQuery(query))
      issues.push({ path: ['query'], message: `must be a string of 1 to ${MAX_QUERY} characters` });
    if (!Array.isArray(queries) || queries.length > MAX_QUERIES || !queries.every(isQuery))
      issues.push({
        path: ['queries'],
        message: `must be an array of up to ${MAX_QUERIES} strings of 1 to ${MAX_QUERY} characters`,
      });
    if (!Number.isInteger(limit) || Number(limit) < 1 || Number(limit) > MAX_LIMIT)
      issues.push({ path: ['limit'], message: `must be an integer from 1 to ${MAX_LIMIT}` });
    return issues.length > 0 ? issues : { query, queries, limit };
  },
);

function isQuery(query: unknown): boolean {
  return typeof query === 'string' && query.length > 0 && query.length <= MAX_QUERY;
}

const CALL = definePlainSchema(
  {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'The name of the tool.' },
      arguments: { type: 'object', description: 'The arguments of the tool.' },
    },
    required: ['name'],
  },
  (value) => value,
);
