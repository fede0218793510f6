import { isObject } from '../../base/is-object.ts';
import { cutText } from '../../base/cut-text.ts';
import { CallRefusedError } from '../../errors/errors.ts';
import { NO_ARGUMENTS, NOT_AN_OBJECT } from '../../pipeline/tool/arguments.ts';
import type { CompiledTool } from '../../pipeline/tool/compiled-tool.ts';
import type { Outcome } from '../../pipeline/tool/outcome.ts';
import { ToolRoute } from '../../pipeline/route.ts';
import type { Route, Selection } from '../../pipeline/route.ts';
import type { CatalogEntry } from '../../tools/compile/catalog-entry.ts';
import type { AnyToolDefinition } from '../../tools/tool-definition.ts';
import { describeTool } from './describe/describe-tool.ts';
import type { DescribeScope } from './describe/describe-tool.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { compileOwnTool } from './own-tool.ts';
import { projectFlat } from './project-flat.ts';
import type { Projection, ProjectionOptions } from './projection.ts';
import type { SearchIndex } from './search/search-index.ts';
import { callTool, findVisible, searchTool, suggest } from './search-tools.ts';
import type { SearchScope } from './search-tools.ts';
import { fromEntry, unannounced } from './wire-tool.ts';

/** Three small tools in front of the catalog, for catalogs that do not fit into a context window. */
export function projectSearch(entries: readonly CatalogEntry[], options: ProjectionOptions): Projection {
  let index: Promise<SearchIndex> | undefined;
  const scope: SearchScope = {
    names: options.searchTools,
    entries: new Map(entries.map((entry) => [entry.tool.name, { ...entry, tool: unannounced(entry.tool) }])),
    index: () => {
      index ??= buildIndex(entries);
      // A failed build must not be cached.
      index.catch(() => (index = undefined));
      return index;
    },
  };
  const compile = (definition: AnyToolDefinition): CatalogEntry => compileOwnTool(definition, options.own);
  const search = compile(searchTool(scope));
  const describe = compile(describeTool(toDescribeScope(scope, options)));
  const call = compile(callTool(scope));
  const table = new Map<string, Route>([
    [search.tool.name, new ToolRoute(search.tool)],
    [describe.tool.name, new ToolRoute(describe.tool)],
    [call.tool.name, createCallRoute(scope, call.tool)],
  ]);
  const listed = [search, describe, call].map((entry) => fromEntry(entry, options.profile));
  const pinned = new Set(findPinned(entries, options));
  if (pinned.size === 0) return { table, list: () => listed, isFixed: true, all: () => listed };
  const flat = projectFlat([...pinned], options);
  return {
    table: new Map([...flat.table, ...table]),
    list: (visible) => [...listed, ...flat.list(visible.filter((entry) => pinned.has(entry)))],
    isFixed: false,
    all: () => [...listed, ...flat.all()],
  };
}

/** The entries that stay listed. Unknown names are logged, because the tool may be registered later. */
function findPinned(
  entries: readonly CatalogEntry[],
  { pinned, own }: ProjectionOptions,
): readonly CatalogEntry[] {
  const namesOf = ({ tool, grouped }: CatalogEntry): string[] => [tool.name, grouped?.tool ?? tool.name];
  const kept = entries.filter((entry) => namesOf(entry).some((name) => pinned.includes(name)));
  const found = new Set(kept.flatMap(namesOf));
  const missing = pinned.filter((name) => !found.has(name));
  if (missing.length > 0)
    own.settings.collaborators.logger.warning('Unknown tools in pinned', { names: missing });
  return kept;
}

/** Tools have the names by which they are found and called. */
function toDescribeScope(scope: SearchScope, { profile, describeTokens }: ProjectionOptions): DescribeScope {
  return {
    names: scope.names,
    budget: { maxTokens: describeTokens, measure: estimateTokens },
    find: (name, caller) => {
      const entry = findVisible(scope, name, caller);
      return entry === undefined ? undefined : { ...fromEntry(entry, profile).listed, name };
    },
    suggest: (name, caller) => suggest(scope, name, caller),
  };
}

/** Loaded on the first search, so that small servers do not load word lists and a stemmer. */
async function buildIndex(entries: readonly CatalogEntry[]): Promise<SearchIndex> {
  const { createSearchIndex } = await import('./search/search-index.ts');
  const { toDocument } = await import('./search/search-document.ts');
  return createSearchIndex(entries.map(toDocument));
}

/** The route from the call tool to the action named in its arguments. */
function createCallRoute(scope: SearchScope, face: CompiledTool): Route {
  const refuse = (outcome: Outcome): Selection => ({ kind: 'refused', tool: face, outcome });
  return {
    isVisible: () => true,
    select: (call): Selection => {
      const given = call.arguments ?? NO_ARGUMENTS;
      if (!isObject(given)) return refuse(NOT_AN_OBJECT);
      const { name, arguments: args } = given as { name?: unknown; arguments?: unknown };
      if (typeof name !== 'string' || name === '')
        return refuse({ kind: 'invalid-input', issues: [{ path: ['name'], message: 'is required' }] });
      const entry = findVisible(scope, name, call);
      const stray = Object.keys(given).filter((key) => key !== 'name' && key !== 'arguments');
      if (entry !== undefined && stray.length > 0)
        return refuse(args === undefined ? toStray(stray) : toUnknown(stray));
      if (entry !== undefined) return { kind: 'selected', tool: entry.tool, arguments: args };
      const error = new CallRefusedError('UNKNOWN_TOOL', `Unknown tool: ${name.slice(0, 128)}`, {
        suggestions: suggest(scope, name, call),
      });
      return refuse({ kind: 'failed', error });
    },
  };
}

function shown(stray: readonly string[]): string[] {
  return stray.slice(0, 20).map((key) => cutText(key));
}

/** Arguments of the tool beside its name, a common mistake of models. */
function toStray(stray: readonly string[]): Outcome {
  const message = `must contain the arguments of the tool; found outside it: ${shown(stray).join(', ')}`;
  return { kind: 'invalid-input', issues: [{ path: ['arguments'], message }] };
}

/** Rejected instead of dropped, because it may request the next page or the rest of a result. */
function toUnknown(stray: readonly string[]): Outcome {
  const message =
    'is unknown here. If it is an argument of the tool, put it into "arguments"; otherwise remove it';
  return { kind: 'invalid-input', issues: shown(stray).map((name) => ({ path: [name], message })) };
}
