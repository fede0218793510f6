import type { PolicySubject } from '../middleware/context.ts';

/** Which tools are wanted. All conditions must hold. */
export interface ToolFilter {
  /** Tools with every one of these tags. */
  readonly tags?: readonly string[];
  /** Tools with at least one of these tags. */
  readonly anyTag?: readonly string[];
  /** Tools with none of these tags. */
  readonly exclude?: readonly string[];
  readonly category?: string;
}

/** Whether a tool is wanted. */
export function matchesFilter(tool: PolicySubject, filter: ToolFilter): boolean {
  const has = (tag: string): boolean => tool.tags.includes(tag);
  if (filter.tags !== undefined && !filter.tags.every(has)) return false;
  if (filter.anyTag !== undefined && !filter.anyTag.some(has)) return false;
  if (filter.exclude !== undefined && filter.exclude.some(has)) return false;
  return filter.category === undefined || tool.category === filter.category;
}
