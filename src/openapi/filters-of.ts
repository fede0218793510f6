import type { OpenApiOptions } from './import-options.ts';
import type { OperationFilters } from './selection/select-operations.ts';

const FILTERS = [
  'includeTools',
  'includeTags',
  'includeOperations',
  'includeMethods',
  'includeResources',
  'excludeTags',
  'excludeTools',
  'excludeOperations',
  'excludePaths',
  'includeDeprecated',
  'filter',
] as const;

/** The filters among the options of an import. */
export function filtersOf(options: OpenApiOptions): OperationFilters {
  const said = FILTERS.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]);
  return {
    ...(options.mode === 'explicit' ? { mode: 'explicit' } : {}),
    ...(Object.fromEntries(said) as OperationFilters),
  };
}
