import { ToolRegistry } from 'toolwright';
import type { Policy, SurfaceOptions } from 'toolwright';
import type { FitnessContext } from '../context.ts';
import type { Providers } from '../providers/providers.ts';
import type { FitnessExposure, Settings } from '../settings/settings.ts';
import { createTools } from './all-tools.ts';

/** JSON of a result. Larger data are read in pages, or as a resource. */
const MAX_RESULT_BYTES = 400_000;

/** One definition of each tool, in several forms. */
export const SURFACES: Readonly<Record<FitnessExposure, SurfaceOptions>> = {
  flat: { exposure: 'flat' },
  grouped: { exposure: 'grouped', groupBy: 'category' },
  search: { exposure: 'search' },
  auto: { exposure: 'auto' },
};

interface RegistryOptions {
  readonly settings: Pick<Settings, 'invalidArguments' | 'exposure'>;
  readonly providers: Providers;
  readonly policy: Policy;
}

/** All tools behind the policy. */
export function createRegistry({
  settings,
  providers,
  policy,
}: RegistryOptions): ToolRegistry<FitnessContext> {
  return new ToolRegistry<FitnessContext>({
    name: 'fitness',
    policy,
    unknownArguments: 'reject',
    invalidArguments: settings.invalidArguments,
    maxResultBytes: MAX_RESULT_BYTES,
    ...SURFACES[settings.exposure],
  }).registerAll(createTools(providers));
}
