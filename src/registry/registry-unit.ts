import { DefinitionError } from '../errors/errors.ts';
import { compileChain } from '../middleware/compile-chain.ts';
import type { AnyMiddleware } from '../middleware/middleware.ts';
import { assertDefinition } from '../tools/compile/assert-definition.ts';
import { compileTool } from '../tools/compile/compile-tool.ts';
import type { CatalogEntry } from '../tools/compile/compile-tool.ts';
import type { ToolSettings } from '../tools/compile/tool-settings.ts';
import { compileGroupedTool } from '../tools/grouped/compile-grouped-tool.ts';
import type { GroupedPlan } from '../tools/grouped/grouped-plan.ts';
import type { AnyToolDefinition } from '../tools/tool-definition.ts';

/** What was registered: one tool, or a grouped one. */
export type UnitSource = { readonly definition: AnyToolDefinition<never> } | { readonly plan: GroupedPlan };

/** What was registered at once under one name, compiled. */
export interface RegistryUnit {
  readonly name: string;
  readonly source: UnitSource;
  /** One for a tool, one per action for a grouped tool. */
  readonly entries: readonly CatalogEntry[];
}

/** A builder whose context a registry can give. */
export interface BuilderFor<TContext extends object> {
  readonly needs?: (context: TContext) => void;
  plan(): GroupedPlan;
}

/** Tells a builder from a definition. A builder is finished by it. */
export function toUnit(given: AnyToolDefinition<never> | BuilderFor<never>): UnitSource {
  return typeof (given as { plan?: unknown } | null)?.plan === 'function'
    ? { plan: (given as BuilderFor<never>).plan() }
    : { definition: given as AnyToolDefinition<never> };
}

/** Compiles what was registered. Everything that can be wrong with it is found here. */
export function compileUnit(
  source: UnitSource,
  options: { readonly settings: ToolSettings; readonly middleware: readonly AnyMiddleware[] },
): RegistryUnit {
  if ('plan' in source) {
    return { name: source.plan.name, source, entries: compileGroupedTool(source.plan, options) };
  }
  const { definition } = source;
  assertDefinition(definition);
  const layers = [...options.middleware, ...(definition.middleware ?? [])];
  const entry = compileTool(definition, {
    settings: options.settings,
    chainOf: (handler, subject) => compileChain(handler, layers, subject),
  });
  return { name: definition.name, source, entries: [entry] };
}

/** Names a unit in messages: the description tells two of one name apart. */
export function describeUnit({ name, source }: RegistryUnit): string {
  if ('definition' in source) return `"${source.definition.description.slice(0, 60)}"`;
  const { description } = source.plan;
  return description === undefined ? `the grouped tool "${name}"` : `"${description.slice(0, 60)}"`;
}

/** Refuses builders that cannot be one tool. */
export function assertMergeable(unit: RegistryUnit, others: readonly CatalogEntry[]): void {
  if (!('plan' in unit.source)) return;
  const { name, discriminator } = unit.source.plan;
  const other = others.find(
    ({ grouped }) => grouped?.tool === name && grouped.plan.discriminator !== discriminator,
  );
  if (other?.grouped === undefined) return;
  throw new DefinitionError(
    `Builders of the tool "${name}" cannot be merged: one says the action in "${other.grouped.plan.discriminator}", the other in "${discriminator}".`,
  );
}
