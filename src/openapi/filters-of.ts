import type { OpenApiOptions } from './import-options.ts';
import { FILTER_NAMES } from './selection/select-operations.ts';
import type { OperationFilters } from './selection/select-operations.ts';

/** The filters among the options of an import. */
export function filtersOf(options: OpenApiOptions): OperationFilters {
  const said = FILTER_NAMES.filter((name) => options[name] !== undefined).map((name) => [
    name,
    options[name],
  ]);
  return {
    ...(options.mode === 'explicit' ? { mode: 'explicit' } : {}),
    ...(Object.fromEntries(said) as OperationFilters),
  };
}
