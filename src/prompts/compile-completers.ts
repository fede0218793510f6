import { nounOf } from '../errors/component-kind.ts';
import type { OtherKind } from '../errors/component-kind.ts';
import { DefinitionError } from '../errors/errors.ts';
import { didYouMean } from '../errors/nearest-names.ts';
import type { AnyMiddleware } from '../middleware/middleware.ts';
import type { CompiledTool } from '../pipeline/tool/compiled-tool.ts';
import { compileSchema } from '../schema/checks/compile-schema.ts';
import { definePlainSchema } from '../schema/nodes/plain-schema.ts';
import { isFunction, STRINGS } from '../errors/options/rules.ts';
import { wrongValue } from '../errors/options/wrong-value.ts';
import type { ToolSettings } from '../tools/compile/tool-settings.ts';
import { compileComponent } from '../tools/components/compile-component.ts';
import type { ComponentParts, Surround } from '../tools/components/compile-component.ts';
import type { ComponentEntry } from '../tools/components/component-list.ts';
import { mountComponent } from '../tools/components/component-unit.ts';
import { mountTool } from '../tools/components/mount-tool.ts';
import type { Mounting } from '../tools/components/mount-tool.ts';
import type { Completer, Completers } from './completion.ts';

/** The compiled completers of a prompt or resource template. */
export interface CompiledCompleters {
  /** The arguments with a completer. */
  readonly completed: ReadonlySet<string>;
  /** Undefined without completers. */
  readonly tool: CompiledTool | undefined;
}

/** A prompt or a resource template. */
export interface CompletableEntry extends ComponentEntry {
  readonly completers: CompiledCompleters;
}

/** Input of {@link compileCompleters}. */
export interface CompletersSource {
  readonly kind: OtherKind;
  readonly key: string;
  readonly definition: ComponentParts['definition'] & { readonly complete?: Completers<string, never> };
  /** The names of all arguments. */
  readonly names: readonly string[];
}

/** The input of a completer. */
export interface CompletionInput {
  readonly argument: string;
  readonly value: string;
  readonly arguments: Readonly<Record<string, string>>;
}

/** Not validated: the input is built internally. */
const INPUT = definePlainSchema(
  {
    type: 'object',
    properties: {
      argument: { type: 'string' },
      value: { type: 'string' },
      arguments: { type: 'object', additionalProperties: { type: 'string' } },
    },
  },
  (value) => value,
);

/** Compiles completers as tools, so that they pass the same stations as any call: guard, rate limit, middleware, deadline, cancellation. */
export function compileCompleters(
  source: CompletersSource,
  settings: ToolSettings,
): (middleware: readonly AnyMiddleware[]) => CompiledCompleters {
  const { kind, key, definition, names } = source;
  const completers = new Map(Object.entries(definition.complete ?? {}));
  const owner = `${nounOf(kind)} "${key}"`;
  for (const [name, completer] of completers) assertCompleter(name, completer, { owner, names });
  const completed = new Set(completers.keys());
  const surround = completers.size === 0 ? undefined : compileTool(source, completers, settings);
  return (middleware) => ({ completed, tool: surround?.(middleware) });
}

/** A mounted prompt or resource template. */
export function mountCompletable<TEntry extends CompletableEntry>(
  entry: TEntry,
  key: string,
  mounting: Mounting,
): TEntry {
  const { tool } = entry.completers;
  const mounted = tool === undefined ? undefined : mountTool(tool, key, mounting);
  return {
    ...mountComponent(entry, key, mounting),
    completers: { ...entry.completers, tool: mounted },
  };
}

function compileTool(
  { kind, key, definition }: CompletersSource,
  completers: ReadonlyMap<string, unknown>,
  settings: ToolSettings,
): Surround {
  const { jsonSchemaCompiler } = settings;
  const prepared = new Map(
    [...completers].map(([name, completer]) => [name, prepare(completer as Completer)]),
  );
  const input = compileSchema(INPUT, { owner: 'A completion', side: 'input', jsonSchemaCompiler });
  const handler: CompiledTool['handler'] = ({ input: asked, context }) => {
    const { argument, value, arguments: chosen } = asked as CompletionInput;
    return prepared.get(argument)?.(value, { arguments: chosen, signal: context.signal, context });
  };
  return compileComponent({ kind, key, operation: `${key}/complete`, definition, input, handler }, settings);
}

function assertCompleter(
  name: string,
  completer: unknown,
  { owner, names }: { readonly owner: string; readonly names: readonly string[] },
): void {
  if (!names.includes(name)) {
    const hint = didYouMean(name, names);
    throw new DefinitionError(`${owner}: unknown argument "${name}" in complete.${hint}`, {
      option: 'complete',
      path: [name],
      expected: names,
    });
  }
  if (isFunction(completer) || STRINGS[0](completer)) return;
  throw wrongValue(owner, {
    option: 'complete',
    path: [name],
    expected: 'an array of strings or a function',
    value: completer,
  });
}

function prepare(completer: Completer): Exclude<Completer, readonly string[]> {
  if (typeof completer === 'function') return completer;
  const all = completer.map((value) => ({ value, folded: value.toLowerCase() }));
  return (typed) => {
    const prefix = typed.toLowerCase();
    return all.filter(({ folded }) => folded.startsWith(prefix)).map(({ value }) => value);
  };
}
