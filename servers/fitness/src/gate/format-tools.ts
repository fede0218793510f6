import type {
  CategorySummary,
  EffectiveTool,
  EffectiveTools,
  ListedCatalog,
} from '../accounts/effective-tools.ts';
import type { Override } from './standing.ts';

/** The catalog as text: one line per tool, then one per category. */
export function formatCatalog({ tools, categories, globallyDisabled }: ListedCatalog): string {
  const rows = tools.map(({ name, category, plan, isPublic, isAdminOnly, isGloballyDisabled }) => [
    name,
    category,
    plan ?? (isAdminOnly ? 'administrators' : 'administrators, owners'),
    [isPublic ? 'public' : '', isGloballyDisabled ? 'globally disabled' : ''].filter(Boolean).join(', '),
  ]);
  return [
    formatTable([['TOOL', 'CATEGORY', 'PLAN', ''], ...rows]),
    '',
    formatCategories(categories),
    '',
    `Globally disabled: ${globallyDisabled.length === 0 ? 'none' : globallyDisabled.join(', ')}`,
  ].join('\n');
}

/** The tools of a tenant as text, each with the source of its decision, and its overrides. */
export function formatEffectiveTools({ tenant, plan, tools, categories, overrides }: EffectiveTools): string {
  const rows = tools.map(({ tool, isAllowed, source, reason }) => [
    tool,
    isAllowed ? 'on' : 'off',
    source,
    reason,
  ]);
  return [
    `Tenant ${tenant}, plan ${plan}`,
    '',
    formatTable([['TOOL', 'STATE', 'SOURCE', 'REASON'], ...rows]),
    '',
    formatCategories(categories),
    '',
    overrides.length === 0 ? 'Overrides: none' : formatOverrides(overrides),
  ].join('\n');
}

/** A decision as one line. */
export function formatDecision({ tool, isAllowed, source, reason }: EffectiveTool): string {
  return `${tool} is ${isAllowed ? 'on' : 'off'} (${source}): ${reason}`;
}

function formatOverrides(overrides: readonly Override[]): string {
  const rows = overrides.map(({ tool, isEnabled, setBy, setAt, reason }) => [
    tool,
    isEnabled ? 'on' : 'off',
    setBy,
    setAt,
    reason,
  ]);
  return formatTable([['OVERRIDE', 'STATE', 'SET BY', 'SET AT', 'REASON'], ...rows]);
}

function formatCategories(categories: readonly CategorySummary[]): string {
  const rows = categories.map(({ category, enabled, total }) => [category, `${enabled} of ${total}`]);
  return formatTable([['CATEGORY', 'ENABLED'], ...rows]);
}

/** Columns of equal width, separated by two spaces. */
function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
