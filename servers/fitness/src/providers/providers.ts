import type { Database } from '../database/database.ts';
import type { Settings } from '../settings/settings.ts';
import { FilesProvider } from './files/files-provider.ts';
import type { WatchFolder } from './files/watch-folder.ts';
import type { Provider, ProviderFeature } from './provider.ts';
import { DatabaseTokenStore } from './strava/database-token-store.ts';
import { StravaProvider } from './strava/strava-provider.ts';
import type { StravaSettings } from './strava/strava-settings.ts';
import { SyntheticProvider } from './synthetic/synthetic-provider.ts';

/** The names of all providers. A server has those that are configured. */
export const PROVIDER_NAMES = ['synthetic', 'files', 'strava'] as const;
export type ProviderName = (typeof PROVIDER_NAMES)[number];

/** The providers of a server. */
export interface Providers {
  readonly synthetic: SyntheticProvider;
  readonly files?: FilesProvider;
  readonly strava?: StravaProvider;
}

export interface ProvidersOptions {
  readonly settings: Settings;
  readonly database: Database;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Default: notifications of the file system. */
  readonly watch?: WatchFolder;
  /** Address of Strava. */
  readonly strava?: Pick<StravaSettings, 'endpoints' | 'allowPrivate'>;
}

/** Opens the configured providers. Rejects if a setting of one is wrong. */
export async function openProviders({
  settings,
  database,
  now,
  watch,
  strava,
}: ProvidersOptions): Promise<Providers> {
  const { filesFolder: folder, key, strava: application } = settings;
  const isOwner = (user: string): boolean => user === settings.user;
  return {
    synthetic: new SyntheticProvider({ now }),
    ...(folder !== undefined && {
      files: await FilesProvider.open({ folder, isOwner, ...(watch && { watch }) }),
    }),
    ...(application !== undefined && {
      strava: new StravaProvider({ ...application, ...strava, key, now }, new DatabaseTokenStore(database)),
    }),
  };
}

export async function closeProviders({ files, strava }: Providers): Promise<void> {
  files?.[Symbol.dispose]();
  await strava?.close();
}

/** The names of the configured providers that have a feature. The synthetic one has all features. */
export function listProviders(
  providers: Providers,
  feature: ProviderFeature = 'activities',
): [ProviderName, ...ProviderName[]] {
  const others = PROVIDER_NAMES.filter(
    (name) => name !== 'synthetic' && providers[name]?.features.has(feature),
  );
  return ['synthetic', ...others];
}

export function findProvider(providers: Providers, name: ProviderName): Provider | undefined {
  return providers[name];
}
