import { assertKnown } from '../errors/assert-known.ts';
import { SETTINGS } from '../tools/compile/assert-settings.ts';
import type { ToolSettingsOptions } from '../tools/compile/settings-options.ts';
import type { SurfaceOptions } from './exposure/exposure.ts';

/** Options of a registry: how its tools are compiled and called, and how they are shown unless a surface says otherwise. */
export interface ToolRegistryOptions<TContext extends object = object>
  extends ToolSettingsOptions<TContext>, Omit<SurfaceOptions, 'policy'> {}

/** The options that say how the registry is shown. */
export const SHOWN = [
  'exposure',
  'schemaProfile',
  'tokenBudget',
  'splitReadWrite',
  'groupBy',
  'groupedSchemas',
  'describeTokens',
  'searchTools',
  'pinned',
] as const;

/** Every option of a registry. */
const OPTIONS: readonly string[] = [...Object.keys(SETTINGS), ...SHOWN];

/** Rejects options that nobody reads. */
export function assertRegistryOptions(options: object): void {
  assertKnown('ToolRegistry', options, OPTIONS);
}

/** The part of a registry's options that its surfaces start from. */
export function surfaceOptionsOf(options: Omit<SurfaceOptions, 'policy'>): SurfaceOptions {
  const said = SHOWN.filter((key) => options[key] !== undefined).map((key) => [key, options[key]]);
  return Object.fromEntries(said) as SurfaceOptions;
}
