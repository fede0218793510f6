import { setImmediate } from 'node:timers/promises';
import type {
  Activity,
  ActivityFilter,
  ActivityStreams,
  Athlete,
  Provider,
  ProviderFeature,
  SleepNight,
} from '../provider.ts';
import { demonstrationAthlete } from './athlete.ts';
import { dayOf, findDay } from '../../calendar/days.ts';
import type { Day } from '../../calendar/days.ts';
import { planDay } from './day-plan.ts';
import { record } from './recording.ts';
import type { RecordingRequest } from './recording.ts';
import { sleepBefore } from './sleep.ts';
import { activityId, startTimeOf, summarize } from './summary.ts';
import { weatherOf } from './weather.ts';

export interface SyntheticOptions {
  /** Default: 1. */
  readonly seed?: number;
  /** Unix time in milliseconds. Default: the system's clock. */
  readonly now?: () => number;
}

/** Two years of data, up to and with today. */
export const HISTORY_DAYS = 730;

const FEATURES: readonly ProviderFeature[] = [
  'activities',
  'streams',
  'sleep',
  'hrv',
  'weather',
  'place',
  'athlete',
];

/**
 * Generated data of one demonstration athlete, the same for every user. Each day depends on the seed and on its own date alone: when time
 * passes, days are added and the oldest leave, but no day changes.
 */
export class SyntheticProvider implements Provider {
  readonly name = 'synthetic';
  readonly features: ReadonlySet<ProviderFeature> = new Set(FEATURES);
  readonly #seed: number;
  readonly #now: () => number;
  /** Summaries by id: computing them needs all samples of an activity. At most `2 * HISTORY_DAYS`. */
  readonly #summaries = new Map<string, Activity>();

  constructor({ seed = 1, now = () => Date.now() }: SyntheticOptions = {}) {
    this.#seed = seed;
    this.#now = now;
  }

  async isConnected(): Promise<boolean> {
    return true;
  }

  async listActivities(
    _user: string,
    filter: ActivityFilter = {},
    signal?: AbortSignal,
  ): Promise<readonly Activity[]> {
    const { after = -Infinity, before = Infinity, sport_type } = filter;
    const found: Activity[] = [];
    const { first, last } = this.#days();
    for (let day = last; day >= first; day -= 1) {
      signal?.throwIfAborted();
      // Two years take about a second: other requests are served in between.
      if (day % 7 === 0) await setImmediate();
      for (const request of this.#requestsOf(day).toReversed()) {
        const start = startTimeOf(request);
        if (start < after || start >= before) continue;
        if (sport_type !== undefined && request.session.sport !== sport_type) continue;
        const activity = this.#summaryOf(request);
        if (this.#isOver(activity)) found.push(activity);
      }
    }
    return found;
  }

  async findActivity(_user: string, id: string): Promise<Activity | undefined> {
    const request = this.#findRequest(id);
    const activity = request && this.#summaryOf(request);
    return activity !== undefined && this.#isOver(activity) ? activity : undefined;
  }

  async findStreams(user: string, id: string): Promise<ActivityStreams | undefined> {
    const request = this.#findRequest(id);
    return request !== undefined && (await this.findActivity(user, id)) !== undefined
      ? record(request, { withPositions: true })
      : undefined;
  }

  async findAthlete(): Promise<Athlete> {
    return demonstrationAthlete(this.#seed, this.#days().last);
  }

  async listSleep(
    _user: string,
    days: { readonly from: string; readonly to: string },
  ): Promise<readonly SleepNight[]> {
    const { first, last } = this.#days();
    const from = Math.max(first, findDay(days.from) ?? Infinity);
    const to = Math.min(last, findDay(days.to) ?? -Infinity);
    const nights: SleepNight[] = [];
    for (let day = from; day <= to; day += 1) {
      const night = sleepBefore(this.#seed, day);
      if (night !== undefined) nights.push(night);
    }
    return nights;
  }

  #days(): { readonly first: Day; readonly last: Day } {
    const last = dayOf(this.#now() / 1000);
    return { first: last - HISTORY_DAYS + 1, last };
  }

  #requestsOf(day: Day): readonly RecordingRequest[] {
    return planDay(this.#seed, day).map((session, index) => {
      const weather = weatherOf(this.#seed, day, session.startsAt / 3600);
      return { seed: this.#seed, day, index, session, weather };
    });
  }

  #findRequest(id: string): RecordingRequest | undefined {
    const date = /^synthetic-(\d{4}-\d{2}-\d{2})-\d$/.exec(id)?.[1];
    const day = date === undefined ? undefined : findDay(date);
    const { first, last } = this.#days();
    if (day === undefined || day < first || day > last) return undefined;
    return this.#requestsOf(day).find((request) => activityId(request) === id);
  }

  #summaryOf(request: RecordingRequest): Activity {
    const id = activityId(request);
    const known = this.#summaries.get(id);
    if (known !== undefined) return known;
    const activity = summarize(request, record(request, { withPositions: false }));
    if (this.#summaries.size >= 2 * HISTORY_DAYS) this.#summaries.clear();
    this.#summaries.set(id, activity);
    return activity;
  }

  #isOver({ start_time, elapsed_time_s }: Activity): boolean {
    return (start_time + elapsed_time_s) * 1000 <= this.#now();
  }
}
