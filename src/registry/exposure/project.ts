import type { CatalogEntry } from '../../tools/compile/catalog-entry.ts';
import type { Exposure } from './exposure.ts';
import { projectAuto } from './project-auto.ts';
import { projectFlat } from './project-flat.ts';
import { projectGrouped } from './project-grouped.ts';
import { projectSearch } from './project-search.ts';
import type { Projection, ProjectionOptions } from './projection.ts';

/** Projects a catalog into one exposure. */
export function project(
  exposure: Exposure,
  entries: readonly CatalogEntry[],
  options: ProjectionOptions,
): Projection {
  switch (exposure) {
    case 'grouped':
      return projectGrouped(entries, options);
    case 'flat':
      return projectFlat(entries, options);
    case 'search':
      return projectSearch(entries, options);
    case 'auto':
      return projectAuto(entries, options);
    default:
      return exposure satisfies never;
  }
}
