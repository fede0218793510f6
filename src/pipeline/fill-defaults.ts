import type { CallContext } from './context/call-context.ts';
import type { CompiledTool } from './tool/compiled-tool.ts';
import type { Outcome } from './tool/outcome.ts';

/** The arguments with defaults, or the failure. */
export type FilledArguments =
  | { readonly kind: 'filled'; readonly arguments: Readonly<Record<string, unknown>> }
  | Extract<Outcome, { kind: 'defaults-failed' }>;

/** Asks the tool's resolver for missing arguments. Explicit arguments win. */
export async function fillDefaults(
  tool: CompiledTool,
  explicit: Readonly<Record<string, unknown>>,
  context: CallContext,
): Promise<FilledArguments> {
  try {
    const defaults: unknown = await tool.resolveDefaults?.({ rawArguments: explicit, context });
    if (defaults === undefined || defaults === null) return { kind: 'filled', arguments: explicit };
    if (typeof defaults !== 'object' || Array.isArray(defaults)) {
      throw new TypeError(
        `the default argument resolver must return an object or undefined, not ${typeof defaults}`,
      );
    }
    const said = Object.entries(explicit).filter(([, value]) => value !== undefined);
    return { kind: 'filled', arguments: { ...defaults, ...Object.fromEntries(said) } };
  } catch (error) {
    return { kind: 'defaults-failed', error };
  }
}
