import { toCategoryMember } from './category-member.ts';
import { compileChain } from '../middleware/compile-chain.ts';
import type { AnyMiddleware } from '../middleware/middleware.ts';
import { assertDefinition, assertKnownMembers, assertNoAlias } from '../tools/compile/assert-definition.ts';
import { compileTool, recompose } from '../tools/compile/compile-tool.ts';
import type { ChainOf, CompiledBefore } from '../tools/compile/compile-tool.ts';
import type { CatalogEntry } from '../tools/compile/catalog-entry.ts';
import type { ToolSettings } from '../tools/compile/tool-settings.ts';
import type { ComponentUnit } from '../tools/components/component-tree.ts';
import { compileGroupedTool, recomposeGroupedTool } from '../tools/grouped/compile-grouped-tool.ts';
import type { CompileGroupedOptions } from '../tools/grouped/compile-grouped-tool.ts';
import type { GroupedPlan } from '../tools/grouped/plan/grouped-plan.ts';
import type { AnyToolDefinition } from '../tools/tool-definition.ts';

/** A registered tool or grouped tool. */
export type UnitSource = { readonly definition: AnyToolDefinition<never> } | { readonly plan: GroupedPlan };

/** The compiled entries that were registered together under one name. */
type RegistryUnit = ComponentUnit<CatalogEntry>;

/** The builders that a registry with this context accepts. Compared first, so that the compile error names the missing member. */
export interface NeedsAtMost<TContext extends object> {
  readonly needs?: ((context: TContext) => void) | undefined;
}

/** A builder whose context the registry provides. */
export interface BuilderFor<TContext extends object> extends NeedsAtMost<TContext> {
  plan(): GroupedPlan;
}

/** Distinguishes builders from definitions. Finishes a builder. */
export function toUnitSource(given: AnyToolDefinition<never> | BuilderFor<never>): UnitSource {
  return typeof (given as { plan?: unknown } | null)?.plan === 'function'
    ? { plan: (given as BuilderFor<never>).plan() }
    : { definition: given as AnyToolDefinition<never> };
}

/** Compiles a registered tool. All its mistakes are found here. */
export function compileUnit(source: UnitSource, options: UnitOptions): ComponentUnit<CatalogEntry> {
  return 'plan' in source
    ? compileGroupedUnit(source.plan, options)
    : compileSingleUnit(source.definition, options);
}

interface UnitOptions {
  readonly settings: ToolSettings;
  /** Middleware of the registry. */
  readonly middleware: readonly AnyMiddleware[];
}

function compileGroupedUnit(plan: GroupedPlan, options: CompileGroupedOptions): RegistryUnit {
  const { name, description } = plan;
  const compiled = compileGroupedTool(plan, options);
  const toUnitOf = (entries: readonly CatalogEntry[]): RegistryUnit => ({
    name,
    source: compiled,
    description: description === undefined ? `the grouped tool "${name}"` : `"${description.slice(0, 60)}"`,
    entries,
    recompose: (middleware) => toUnitOf(recomposeGroupedTool(plan, entries, middleware)),
    recompile: (settings, middleware) => {
      const before = { entries: compiled, settings: options.settings };
      return compileGroupedUnit(plan, { settings, middleware, before });
    },
  });
  return toUnitOf(compiled);
}

function compileSingleUnit(given: AnyToolDefinition<never>, options: UnitOptions): RegistryUnit {
  assertNoAlias(given);
  assertDefinition(given);
  assertKnownMembers(given);
  // Copied, so that later changes of the definition have no effect.
  const definition = { ...given };
  const { name, description } = definition;
  const own = [...(definition.middleware ?? [])];
  const around =
    (middleware: readonly AnyMiddleware[]): ChainOf =>
    (handler, subject) =>
      compileChain(handler, [...middleware, ...own], subject);
  const compile = ({ settings, middleware }: UnitOptions, before?: CompiledBefore): RegistryUnit => {
    const compiled = compileTool(definition, { settings, chainOf: around(middleware), before });
    const toUnitOf = (entry: CatalogEntry): RegistryUnit => ({
      name,
      source: compiled,
      description: `"${description.slice(0, 60)}"`,
      entries: [entry],
      recompose: (others) => toUnitOf(recompose(entry, around(others))),
      recompile: (others, outer) =>
        compile({ settings: others, middleware: outer }, { entry: compiled, settings }),
    });
    return toUnitOf({ ...compiled, definition: given, byCategory: toCategoryMember(compiled) });
  };
  return compile(options);
}
