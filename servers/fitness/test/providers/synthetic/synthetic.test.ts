import { beforeAll, describe, expect, test } from 'vitest';
import type { Activity, ActivityStreams, SleepNight } from '../../../src/providers/provider.ts';
import { findDay } from '../../../src/calendar/days.ts';
import { utcOffsetOf } from '../../../src/providers/synthetic/calendar.ts';
import { planDay } from '../../../src/providers/synthetic/day-plan.ts';
import { isIll, phaseOf, seasonOf } from '../../../src/providers/synthetic/season.ts';
import { SyntheticProvider } from '../../../src/providers/synthetic/synthetic-provider.ts';

const NOON = Date.UTC(2026, 10, 18, 12);
const DAY_MS = 86_400_000;
const provider = new SyntheticProvider({ seed: 1, now: () => NOON });
let activities: readonly Activity[] = [];
let nights: readonly SleepNight[] = [];

beforeAll(async () => {
  activities = await provider.listActivities('anyone');
  nights = await provider.listSleep('anyone', { from: '2024-11-19', to: '2026-11-18' });
});

const dayOf = (activity: Activity): number => Math.floor((activity.start_time + 7200) / 86_400);
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

describe('the same seed and day', () => {
  test('give these figures', () => {
    expect(activities).toHaveLength(542);
    expect(activities.find(({ id }) => id === 'synthetic-2026-02-15-1')).toMatchInlineSnapshot(`
      {
        "average_cadence_rpm": 86.7,
        "average_heart_rate": 165.9,
        "average_power_w": null,
        "distance_m": 42195.9,
        "elapsed_time_s": 12001,
        "elevation_gain_m": 194.4,
        "energy_kcal": 2776,
        "id": "synthetic-2026-02-15-1",
        "max_heart_rate": 174,
        "max_power_w": null,
        "moving_time_s": 12001,
        "name": "Marathon",
        "normalized_power_w": null,
        "place": {
          "latitude": 48.584,
          "longitude": 7.745,
          "name": "Strasbourg",
        },
        "sport_type": "run",
        "start_time": 1771142400,
        "utc_offset_s": 3600,
        "weather": {
          "conditions": "light rain",
          "humidity_percent": 75,
          "temperature_c": 1.2,
          "wind_mps": 4.7,
        },
      }
    `);
  });

  test('give these nights', () => {
    expect(nights).toHaveLength(712);
    expect(nights.at(-1)).toMatchInlineSnapshot(`
      {
        "awakenings": 2,
        "date": "2026-11-18",
        "deep_sleep_hours": 1.23,
        "duration_hours": 6.46,
        "efficiency_percent": 91.3,
        "hrv_rmssd_ms": 51.4,
        "light_sleep_hours": 3.63,
        "rem_sleep_hours": 1.6,
      }
    `);
  });

  test('the past does not change when the day advances', async () => {
    const later = new SyntheticProvider({ seed: 1, now: () => NOON + 9 * DAY_MS });
    const newer = await later.listActivities('anyone');
    const after = (NOON / DAY_MS - 720) * 86_400;
    const known = newer.filter(({ start_time }) => start_time >= after && start_time * 1000 < NOON - DAY_MS);
    expect(known.length).toBeGreaterThan(520);
    expect(known).toEqual(
      activities.filter(({ start_time }) => start_time >= after && start_time * 1000 < NOON - DAY_MS),
    );
    expect(newer.filter(({ start_time }) => start_time * 1000 > NOON).length).toBeGreaterThan(4);
    const days = { from: '2024-12-01', to: '2026-11-18' };
    expect(await later.listSleep('anyone', days)).toEqual(await provider.listSleep('anyone', days));
  });

  test('another seed gives other data', async () => {
    const other = new SyntheticProvider({ seed: 2, now: () => NOON });
    const after = NOON / 1000 - 30 * 86_400;
    const listed = await other.listActivities('anyone', { after });
    expect(listed.length).toBeGreaterThan(10);
    expect(listed).not.toEqual(await provider.listActivities('anyone', { after }));
  });
});

describe('lists', () => {
  test('an activity is listed only after its end', async () => {
    const race = Date.UTC(2026, 1, 15, 8);
    const ids = async (now: number): Promise<readonly string[]> =>
      (
        await new SyntheticProvider({ now: () => now }).listActivities('x', { after: race / 1000 - 3600 })
      ).map(({ id }) => id);
    // The marathon starts at 9:00 local time and takes three hours and twenty minutes.
    expect(await ids(race + 3 * 3_600_000)).toEqual([]);
    expect(await ids(race + 3.5 * 3_600_000)).toEqual(['synthetic-2026-02-15-1']);
  });

  test('the newest come first, "after" is inclusive and "before" exclusive', async () => {
    const times = activities.map(({ start_time }) => start_time);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    const [second, fourth] = [activities[1], activities[3]];
    const listed = await provider.listActivities('x', {
      after: fourth?.start_time,
      before: second?.start_time,
    });
    expect(listed).toEqual(activities.slice(2, 4));
    const rides = await provider.listActivities('x', { sport_type: 'ride' });
    expect(rides).toEqual(activities.filter(({ sport_type }) => sport_type === 'ride'));
  });

  test.each(['synthetic-2026-02-15-2', 'synthetic-2026-02-30-1', 'synthetic-2020-01-07-1', '../../etc', ''])(
    'there is no activity "%s"',
    async (id) => {
      expect(await provider.findActivity('x', id)).toBeUndefined();
      expect(await provider.findStreams('x', id)).toBeUndefined();
    },
  );

  test('no other user, no other athlete: all see the demonstration athlete', async () => {
    expect(await provider.findAthlete()).toMatchInlineSnapshot(`
      {
        "birth_year": 1988,
        "ftp_w": 238,
        "height_cm": 171,
        "id": "demonstration",
        "lactate_threshold_heart_rate": 170,
        "max_heart_rate": 188,
        "name": "Demonstration athlete",
        "resting_heart_rate": 48,
        "sex": "female",
        "weight_kg": 63.5,
      }
    `);
  });
});

test('summer time is from the last Sunday of March to that of October', () => {
  const dates = ['2026-03-28', '2026-03-29', '2026-10-24', '2026-10-25', '2024-03-31', '2024-10-27'];
  const offsets = dates.map((date) => utcOffsetOf(findDay(date) ?? Number.NaN));
  expect(offsets).toEqual([3600, 7200, 7200, 3600, 7200, 3600]);
});

test('every seed has illnesses, rest days and full weeks in any two years', () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const first = 20_000 + 37 * seed;
    const counts = Array.from({ length: 730 }, (_, index) => planDay(seed, first + index).length);
    const gaps = counts.join('').match(/0{5,}/g) ?? [];
    expect([seed, gaps.length >= 2]).toEqual([seed, true]);
    const active = counts.filter((count) => count > 0).length;
    expect(active).toBeGreaterThan(500);
    expect(active).toBeLessThan(600);
  }
});

test('at most six days of training follow each other in any two years, and swims and strength stay', () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const first = 20_000 + 37 * seed;
    const plans = Array.from({ length: 730 }, (_, index) => planDay(seed, first + index));
    const days = plans.map((sessions) => (sessions.length > 0 ? 'x' : '.')).join('');
    const longest = Math.max(...(days.match(/x+/g) ?? []).map(({ length }) => length));
    expect([seed, longest]).toEqual([seed, 6]);
    const count = (sport: string): number => plans.flat().filter((session) => session.sport === sport).length;
    expect(count('swim')).toBeGreaterThan(30);
    expect(count('strength')).toBeGreaterThan(24);
  }
});

describe('believable', () => {
  test('every activity is within human bounds', () => {
    const odd = activities.filter((activity) => {
      const { sport_type, distance_m, moving_time_s, average_heart_rate, max_heart_rate, max_power_w } =
        activity;
      const speed = (distance_m ?? 0) / moving_time_s;
      const [slow, fast] = {
        run: [2.3, 4.4],
        ride: [5.5, 11.5],
        swim: [0.7, 1.3],
        hike: [0.8, 1.7],
        ski: [2.3, 4.5],
        strength: [0, 0],
        walk: [0.8, 2],
        row: [2, 5],
        other: [0, 9],
      }[sport_type] as [number, number];
      const rate = average_heart_rate ?? 0;
      return (
        speed < slow ||
        speed > fast ||
        rate < 105 ||
        rate > 180 ||
        (max_heart_rate ?? 0) > 188 ||
        (max_power_w ?? 0) > 480 ||
        (sport_type === 'ride') === (activity.average_power_w === null) ||
        moving_time_s < 1200 ||
        moving_time_s > 6 * 3600
      );
    });
    expect(odd).toEqual([]);
  });

  test('there are several sports with a weekly rhythm', () => {
    const sports = new Set(activities.map(({ sport_type }) => sport_type));
    expect([...sports].sort()).toEqual(['hike', 'ride', 'run', 'ski', 'strength', 'swim']);
    const longest = activities.filter(({ moving_time_s }) => moving_time_s > 2 * 3600);
    const weekend = longest.filter((activity) => [2, 3].includes(dayOf(activity) % 7));
    expect(longest.length).toBeGreaterThan(50);
    expect(weekend.length / longest.length).toBe(1);
  });

  test('every race of two years is run over its distance', () => {
    const races = activities.filter(({ name }) => /marathon|Gran fondo|10 km/i.test(name));
    expect(races.map(({ name, distance_m }) => [name, Math.round((distance_m ?? 0) / 100) / 10])).toEqual([
      ['Half marathon', 21.1],
      ['10 km race', 10],
      ['Marathon', 42.2],
      ['Gran fondo', 112],
      ['Half marathon', 21.1],
      ['10 km race', 10],
      ['Marathon', 42.2],
    ]);
  });

  test('the volume rises in the build and falls in the taper', () => {
    const hours = (phase: string): number => {
      const inPhase = activities.filter((activity) => phaseOf(dayOf(activity)) === phase);
      const weeks = new Set(
        Array.from({ length: 730 }, (_, back) => NOON / DAY_MS - back)
          .map(Math.floor)
          .filter((day) => phaseOf(day) === phase),
      ).size;
      return inPhase.reduce((sum, { moving_time_s }) => sum + moving_time_s, 0) / 3600 / (weeks / 7);
    };
    expect(hours('peak')).toBeGreaterThan(1.15 * hours('build'));
    expect(hours('taper')).toBeLessThan(0.75 * hours('peak'));
    expect(hours('recovery')).toBeLessThan(0.85 * hours('build'));
  });

  test('an illness is a gap in training with low variability and short of deep sleep', () => {
    const sick = nights.filter(({ date }) => isIll(seasonOf(1, findDay(date) ?? 0), findDay(date) ?? 0));
    const well = nights.filter((night) => !sick.includes(night));
    const hrv = (some: readonly SleepNight[]): number =>
      mean(some.map(({ hrv_rmssd_ms }) => hrv_rmssd_ms ?? 0));
    expect(sick.length).toBeGreaterThan(15);
    expect(hrv(sick)).toBeLessThan(hrv(well) - 10);
    expect(activities.filter((activity) => isIll(seasonOf(1, dayOf(activity)), dayOf(activity)))).toEqual([]);
  });

  test('every night adds up', () => {
    for (const night of nights) {
      const { deep_sleep_hours: deep, rem_sleep_hours: rem, light_sleep_hours: light } = night;
      expect((deep ?? 0) + (rem ?? 0) + (light ?? 0)).toBeCloseTo(night.duration_hours, 6);
      expect(night.efficiency_percent).toBeLessThanOrEqual(98);
      expect(night.hrv_rmssd_ms).toBeGreaterThan(18);
    }
  });
});

test('the samples of every activity agree with its summary', async () => {
  for (const activity of activities) {
    const streams = await provider.findStreams('anyone', activity.id);
    expect([activity.id, figuresOf(streams)]).toEqual([
      activity.id,
      {
        moving_time_s: activity.moving_time_s,
        elapsed_time_s: activity.elapsed_time_s,
        distance_m: activity.distance_m,
        climb_m: activity.elevation_gain_m,
        average_heart_rate: activity.average_heart_rate,
        max_heart_rate: activity.max_heart_rate,
        average_power_w: activity.average_power_w,
        hasPlace: activity.place !== null,
        lengths: 1,
      },
    ]);
  }
}, 120_000);

test('positions are as far apart as the distance says', async () => {
  const {
    distance_m = [],
    latitude = [],
    longitude = [],
  } = (await provider.findStreams('anyone', 'synthetic-2026-11-14-1')) ?? {};
  let length = 0;
  for (let index = 1; index < latitude.length; index += 1) {
    const north = ((latitude[index] ?? 0) - (latitude[index - 1] ?? 0)) * 111_320;
    const east =
      ((longitude[index] ?? 0) - (longitude[index - 1] ?? 0)) * 111_320 * Math.cos((47.999 * Math.PI) / 180);
    length += Math.hypot(north, east);
  }
  expect(length / (distance_m.at(-1) ?? 0)).toBeCloseTo(1, 1);
  expect(Math.hypot((latitude.at(-1) ?? 0) - 47.999, (longitude.at(-1) ?? 0) - 7.842)).toBeLessThan(0.001);
});

/** Figures of a summary, computed from samples. */
function figuresOf(streams: ActivityStreams | undefined): Record<string, unknown> {
  const {
    time_s = [],
    distance_m,
    heart_rate = [],
    power_w,
    altitude_m,
    latitude,
    speed_mps,
  } = streams ?? {};
  const gaps = time_s.slice(1).map((time, index) => time - (time_s[index] ?? 0));
  const rounded = (value: number): number => Math.round(value * 10) / 10;
  const numbers = (values: readonly (number | null)[]): number[] =>
    values.map((value) => value ?? Number.NaN);
  const climbs = numbers(altitude_m ?? []).map((height, index, all) => height - (all[index - 1] ?? height));
  const moved = numbers(speed_mps ?? []).slice(1);
  const distance = distance_m?.at(-1) ?? null;
  if (distance !== null) {
    expect(Math.abs(moved.reduce((sum, speed) => sum + speed, 0) - distance)).toBeLessThan(0.06);
  }
  return {
    moving_time_s: gaps.reduce((sum, gap) => sum + Math.min(gap, 1), 0),
    elapsed_time_s: gaps.reduce((sum, gap) => sum + gap, 0),
    distance_m: distance,
    climb_m: altitude_m ? rounded(climbs.reduce((sum, climb) => sum + Math.max(0, climb), 0)) : null,
    average_heart_rate: rounded(mean(numbers(heart_rate))),
    max_heart_rate: Math.max(...numbers(heart_rate)),
    average_power_w: power_w ? rounded(mean(numbers(power_w))) : null,
    hasPlace: latitude !== undefined,
    lengths: new Set(Object.values(streams ?? {}).map((values) => values.length)).size,
  };
}
