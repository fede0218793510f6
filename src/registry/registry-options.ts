import { assertKnown } from '../errors/assert-known.ts';
import { SETTINGS } from '../tools/compile/assert-settings.ts';
import type { ToolSettingsOptions } from '../tools/compile/settings-options.ts';
import type { SurfaceOptions } from './exposure/exposure.ts';

/** Options of a registry: how its tools are compiled and called, and their default exposure. */
export interface ToolRegistryOptions<TContext extends object = object>
  extends ToolSettingsOptions<TContext>, Omit<SurfaceOptions, 'policy'> {}

/** The exposure options of a registry. */
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

/** Rejects unknown options. */
export function assertRegistryOptions(options: object): void {
  assertKnown('ToolRegistry', options, OPTIONS);
}

/** The exposure options, which are the defaults of surfaces. */
export function surfaceOptionsOf(options: Omit<SurfaceOptions, 'policy'>): SurfaceOptions {
  const said = SHOWN.filter((key) => options[key] !== undefined).map((key) => [key, options[key]]);
  return Object.fromEntries(said) as SurfaceOptions;
}
