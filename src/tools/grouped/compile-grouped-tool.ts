import { DefinitionError } from '../../errors/errors.ts';
import { formatIssue } from '../../errors/issue.ts';
import type { AnyMiddleware } from '../../middleware/middleware.ts';
import { isPromiseLike } from '../../base/maybe-promise.ts';
import { assertDefinition } from '../compile/assert-definition.ts';
import { compileTool, recompose } from '../compile/compile-tool.ts';
import type { ChainOf, CompiledBefore } from '../compile/compile-tool.ts';
import type { CatalogEntry } from '../compile/catalog-entry.ts';
import type { ToolSettings } from '../compile/tool-settings.ts';
import type { GroupedPlan, PlannedAction } from './plan/grouped-plan.ts';
import type { InternalAction } from './action/internal-action.ts';

/** Options of {@link compileGroupedTool}. */
export interface CompileGroupedOptions {
  readonly settings: ToolSettings;
  /** The registry's middleware. */
  readonly middleware: readonly AnyMiddleware[];
  /** Entries of the same plan, compiled with other settings. */
  readonly before?: { readonly entries: readonly CatalogEntry[]; readonly settings: ToolSettings };
}

/** Compiles every action of a plan to its own entry, with its own schema, middleware and policy. */
export function compileGroupedTool(plan: GroupedPlan, options: CompileGroupedOptions): CatalogEntry[] {
  const { before } = options;
  return plan.actions.map((action, index) => {
    const entry = before?.entries[index];
    const known = before === undefined || entry === undefined ? undefined : { ...before, entry };
    return compileAction(plan, action, { ...options, known });
  });
}

/** The same entries with other middleware of the registry. */
export function recomposeGroupedTool(
  plan: GroupedPlan,
  entries: readonly CatalogEntry[],
  middleware: readonly AnyMiddleware[],
): CatalogEntry[] {
  return entries.map((entry, index) => {
    const action = plan.actions[index];
    return action === undefined ? entry : recompose(entry, chainOf(plan, action, middleware));
  });
}

/** Middleware around an action: the registry's, the tool's, then that of group and action. */
function chainOf(
  plan: GroupedPlan,
  { key, definition }: PlannedAction,
  middleware: readonly AnyMiddleware[],
): ChainOf {
  const global = [...middleware, ...plan.middleware];
  return (handler, subject) => {
    const actions = [{ key, handler, middleware: definition.middleware ?? [], subject }];
    const chain = plan.strategies.middlewareCompiler({ actions, global }).get(key);
    if (chain !== undefined) return chain;
    throw new DefinitionError(
      `The middleware compiler of builder "${plan.name}" returned no chain for "${key}". Return one for every action.`,
      { option: 'strategies', path: ['middlewareCompiler'], received: key },
    );
  };
}

function compileAction(
  plan: GroupedPlan,
  action: PlannedAction,
  { settings, middleware, known }: CompileGroupedOptions & { readonly known: CompiledBefore | undefined },
): CatalogEntry {
  const { definition, key } = action;
  assertDefinition(definition);
  const entry = compileTool(definition, {
    settings,
    identity: {
      tool: plan.name,
      action: key,
      flatName: action.flatName ?? toFlatName(plan.name, key, settings.flatSeparator),
    },
    chainOf: chainOf(plan, action, middleware),
    before: known,
  });
  assertExamples(entry, action);
  return { ...entry, grouped: { tool: plan.name, plan, action: toInternalAction(entry, action) } };
}

/** Name of an action in the flat exposure. */
export function toFlatName(tool: string, key: string, separator: string): string {
  return [tool, ...key.split('.')].join(separator);
}

function toInternalAction({ definition, listed }: CatalogEntry, action: PlannedAction): InternalAction {
  const { key, actionName, groupName, groupDescription, flags, commonFields, examples } = action;
  return Object.freeze({
    key,
    actionName,
    groupName,
    groupDescription,
    description: action.hasDescription ? definition.description : undefined,
    inputSchema: listed.inputSchema,
    outputSchema: listed.outputSchema,
    commonFields,
    destructive: flags.destructive,
    readOnly: flags.readOnly,
    idempotent: flags.idempotent,
    examples,
  });
}

/** Rejects invalid examples: they would teach the model calls that fail. Asynchronous schemas are not checked. */
function assertExamples({ definition, tool }: CatalogEntry, { examples }: PlannedAction): void {
  for (const [index, example] of examples.entries()) {
    const validated = tool.input.validate(example);
    if (isPromiseLike(validated)) {
      validated.then(undefined, () => {});
      return;
    }
    if (validated.ok) continue;
    throw new DefinitionError(
      `Example ${index + 1} of "${definition.name}" is invalid: ${validated.issues.map(formatIssue).join('; ')}.`,
      { option: 'examples', path: [index] },
    );
  }
}
