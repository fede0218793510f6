import { assertKnown } from '../errors/assert-known.ts';
import type { ToolSettingsOptions } from '../tools/compile/tool-settings.ts';
import type { SurfaceOptions } from './exposure/exposure.ts';

/** Options of a registry: how its tools are compiled and called, and how they are shown unless a surface says otherwise. */
export interface ToolRegistryOptions<TContext extends object = object>
  extends ToolSettingsOptions<TContext>, Omit<SurfaceOptions, 'policy'> {}

/** Every option of a registry, so that none is left out by a typo: a policy that is misspelt is no policy. */
const OPTIONS: Readonly<Record<keyof ToolRegistryOptions, true>> = {
  name: true,
  createContext: true,
  policy: true,
  unknownArguments: true,
  repairArguments: true,
  invalidArguments: true,
  structuredText: true,
  timeoutMs: true,
  maxResultBytes: true,
  rateLimit: true,
  flatSeparator: true,
  confirmationTtlMs: true,
  confirmationStore: true,
  withSecurityWrapper: true,
  errorHandler: true,
  responseFormatter: true,
  cache: true,
  rateLimitStore: true,
  logger: true,
  clock: true,
  jsonSchemaCompiler: true,
  exposure: true,
  schemaProfile: true,
  tokenBudget: true,
  splitReadWrite: true,
  searchTools: true,
};

/** Refuses options that nobody reads. */
export function assertRegistryOptions(options: object): void {
  assertKnown('The options of a registry', options, Object.keys(OPTIONS));
}

/** The options that say how the registry is shown. */
const SHOWN = ['exposure', 'schemaProfile', 'tokenBudget', 'splitReadWrite', 'searchTools'] as const;

/** The part of a registry's options that its surfaces start from. */
export function surfaceOptionsOf(options: Omit<SurfaceOptions, 'policy'>): SurfaceOptions {
  const said = SHOWN.filter((key) => options[key] !== undefined).map((key) => [key, options[key]]);
  return Object.fromEntries(said) as SurfaceOptions;
}
