import { ToolError } from 'toolwright';
import type {
  Activity,
  ActivityFilter,
  ActivityStreams,
  Athlete,
  Provider,
  ProviderFeature,
  SleepNight,
} from './provider.ts';

/** The data of a feature, in sentences. */
export const FEATURE_NOUNS: Readonly<Record<ProviderFeature, string>> = {
  activities: 'activities',
  streams: 'samples of activities',
  sleep: 'sleep data',
  hrv: 'heart-rate variability',
  weather: 'weather',
  place: 'places',
  athlete: 'athlete profile',
};

/** The data of one caller at one provider. */
export class Source {
  readonly provider: string;
  /** Sentences for the result. */
  readonly notes: readonly string[];
  readonly #provider: Provider;
  readonly #user: string;
  readonly #signal: AbortSignal | undefined;

  constructor(
    provider: Provider,
    caller: {
      readonly user: string;
      readonly signal?: AbortSignal | undefined;
      readonly notes?: readonly string[];
    },
  ) {
    this.provider = provider.name;
    this.#provider = provider;
    this.#user = caller.user;
    this.#signal = caller.signal;
    this.notes = caller.notes ?? [];
  }

  has(feature: ProviderFeature): boolean {
    return this.#provider.features.has(feature);
  }

  /** A sentence for each of the features that the provider lacks. */
  lacks(...features: readonly ProviderFeature[]): readonly string[] {
    return features
      .filter((feature) => !this.has(feature))
      .map((feature) => `The provider ${this.provider} has no ${FEATURE_NOUNS[feature]}.`);
  }

  /** The newest first. */
  listActivities(filter?: ActivityFilter): Promise<readonly Activity[]> {
    return this.#provider.listActivities(this.#user, filter, this.#signal);
  }

  async getActivity(id: string): Promise<Activity> {
    const found = await this.#provider.findActivity(this.#user, id, this.#signal);
    if (found !== undefined) return found;
    throw new ToolError(`The provider ${this.provider} has no activity "${id}".`, {
      suggestions: [`Call get_activities with provider "${this.provider}" for the ids of activities.`],
    });
  }

  /** Undefined if the provider has no samples of the activity. */
  findStreams(id: string): Promise<ActivityStreams | undefined> {
    return this.#provider.findStreams(this.#user, id, this.#signal);
  }

  findAthlete(): Promise<Athlete | undefined> {
    return this.#provider.findAthlete(this.#user, this.#signal);
  }

  /** The oldest first; both days inclusive. */
  listSleep(days: { readonly from: string; readonly to: string }): Promise<readonly SleepNight[]> {
    return this.#provider.listSleep(this.#user, days, this.#signal);
  }
}
