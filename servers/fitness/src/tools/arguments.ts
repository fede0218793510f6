import * as z from 'zod';
import type { ProviderFeature } from '../providers/provider.ts';
import { SPORT_TYPES } from '../providers/provider.ts';
import { listProviders } from '../providers/providers.ts';
import type { ProviderName, Providers } from '../providers/providers.ts';
import { FORMATS } from './results/result.ts';

export const format = z.enum(FORMATS).default('json').describe('toon needs fewer tokens');
export const mode = z.enum(['summary', 'detailed']).default('summary');
export const sportType = z.enum(SPORT_TYPES);
export const unixSeconds = z.int().min(0).max(4_294_967_295);
export const activityId = z.string().min(1).max(200);

/** An optional argument that names a configured provider with a feature. */
export type ProviderArgument = (feature: ProviderFeature) => z.ZodOptional<z.ZodEnum<ProviderChoices>>;
type ProviderChoices = { [TName in ProviderName]: TName };

/** The arguments that name providers of a server. Only the providers that it has are valid. */
export function createProviderArgument(providers: Providers): ProviderArgument {
  return (feature) => {
    const names = listProviders(providers, feature);
    // The enum has fewer values, but their type is the same.
    return z.enum(names as unknown as ProviderChoices).optional();
  };
}
