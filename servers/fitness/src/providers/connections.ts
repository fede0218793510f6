import type { FitnessCaller } from '../accounts/caller.ts';
import type { FileProblem } from './files/list-files.ts';
import type { ProviderFeature } from './provider.ts';
import { PROVIDER_NAMES } from './providers.ts';
import type { ProviderName, Providers } from './providers.ts';
import { FEATURE_NOUNS } from './source.ts';

export type ConnectionStatus = 'connected' | 'not_connected' | 'not_configured';

/** One provider, for one caller. */
export interface Connection {
  readonly provider: ProviderName;
  readonly status: ConnectionStatus;
  /** Whether calls without `provider` use it. */
  readonly is_default: boolean;
  /** The data of the provider, as words. */
  readonly data: string;
  readonly detail: string;
}

const DETAILS: Readonly<Record<ProviderName, Readonly<Partial<Record<ConnectionStatus, string>>>>> = {
  // Always connected.
  synthetic: { connected: 'Generated data of a demonstration athlete, the same for every caller.' },
  files: {
    connected: 'GPX, TCX and FIT files of a folder of the operator.',
    not_connected: 'The files belong to another user of this server.',
    not_configured: 'The operator can set FITNESS_FILES and FITNESS_USER.',
  },
  strava: {
    connected: 'Activities of your Strava account.',
    not_connected: 'Call connect_provider to connect your Strava account.',
    not_configured:
      'The operator can set FITNESS_STRAVA_CLIENT_ID, FITNESS_STRAVA_CLIENT_SECRET and FITNESS_KEY.',
  },
};

/** All providers, also those that this server does not have. */
export async function listConnections(
  providers: Providers,
  caller: FitnessCaller,
): Promise<readonly Connection[]> {
  const statuses = new Map<ProviderName, ConnectionStatus>();
  for (const name of PROVIDER_NAMES) statuses.set(name, await findStatus(providers, name, caller));
  const connected = PROVIDER_NAMES.filter(
    (name) => name !== 'synthetic' && statuses.get(name) === 'connected',
  );
  const usual = connected.length === 0 ? 'synthetic' : connected.length === 1 ? connected[0] : undefined;
  return PROVIDER_NAMES.map((provider) => {
    const status = statuses.get(provider) ?? 'not_configured';
    return {
      provider,
      status,
      is_default: provider === usual,
      data: toNouns(providers[provider]?.features ?? new Set()),
      detail: DETAILS[provider][status] ?? '',
    };
  });
}

/** Files that could not be read; none for callers who do not own them. */
export async function listFileProblems(
  { files }: Providers,
  { id }: FitnessCaller,
): Promise<readonly FileProblem[]> {
  return files !== undefined && (await files.isConnected(id)) ? files.listProblems() : [];
}

async function findStatus(
  providers: Providers,
  name: ProviderName,
  { id }: FitnessCaller,
): Promise<ConnectionStatus> {
  const provider = providers[name];
  if (provider === undefined) return 'not_configured';
  return (await provider.isConnected(id)) ? 'connected' : 'not_connected';
}

function toNouns(features: ReadonlySet<ProviderFeature>): string {
  return [...features].map((feature) => FEATURE_NOUNS[feature]).join(', ');
}
