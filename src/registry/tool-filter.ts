import type { PolicySubject } from '../middleware/context.ts';

/** A filter for tools. All conditions must hold. */
export interface ToolFilter {
  /** Tools with all these tags. */
  readonly tags?: readonly string[];
  /** Tools with at least one of these tags. */
  readonly anyTag?: readonly string[];
  /** Tools with none of these tags. */
  readonly exclude?: readonly string[];
  /** Tools of this category. */
  readonly category?: string;
}

/** Whether a tool matches the filter. */
export function matchesFilter(tool: PolicySubject, filter: ToolFilter): boolean {
  const has = (tag: string): boolean => tool.tags.includes(tag);
  if (filter.tags !== undefined && !filter.tags.every(has)) return false;
  if (filter.anyTag !== undefined && !filter.anyTag.some(has)) return false;
  if (filter.exclude !== undefined && filter.exclude.some(has)) return false;
  return filter.category === undefined || tool.category === filter.category;
}
