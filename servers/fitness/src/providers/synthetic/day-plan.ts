import { weekdayOf } from '../../calendar/days.ts';
import { yearFraction } from './calendar.ts';
import type { Day } from '../../calendar/days.ts';
import { createRandom } from './random.ts';
import type { Random } from './random.ts';
import { daysAfterIllness, isIll, phaseOf, seasonOf, volumeOf, weekInCycle } from './season.ts';
import type { Race } from './season.ts';
import { intervals, segment, steady } from './session.ts';
import type { Segment, Session } from './session.ts';

interface Draft {
  readonly day: Day;
  readonly volume: number;
  readonly random: Random;
  readonly focus: Race['sport'];
}

const HOUR = 3600;
/** The rest day of every week, also after an illness: at most six days of training follow each other. */
const FRIDAY = 4;
/** Minutes and intensity of fast repetitions. */
const REPETITIONS: readonly [readonly [number, number], ...(readonly [number, number])[]] = [
  [3, 1.06],
  [4, 1.04],
  [2, 1.09],
  [5, 1.02],
];

/** The sessions of one day, in their order. Most days have one; rest days and days of illness have none. */
export function planDay(seed: number, day: Day): readonly Session[] {
  const season = seasonOf(seed, day);
  const random = createRandom(seed, 'plan', day);
  if (weekdayOf(day) === FRIDAY || isIll(season, day)) return [];
  if (day === season.raceDay) return [race(season.race)];
  const after = daysAfterIllness(season, day);
  if (after !== undefined) return after % 2 === 1 ? [easyRun(30 + 3 * after, random)] : [];
  // Work and family: one session in sixteen is missed.
  if (random.next() < 1 / 16) return [];
  const volume = volumeOf(day) * random.between(0.93, 1.07);
  return sessionsOf({ day, volume, random, focus: season.race.sport });
}

function sessionsOf(draft: Draft): readonly Session[] {
  const { day, random, focus } = draft;
  const phase = phaseOf(day);
  switch (weekdayOf(day)) {
    case 0:
      return phase === 'build' || phase === 'peak' ? [monday(draft)] : [];
    case 1:
      return [phase === 'recovery' ? easyRun(35, random) : intervalRun(draft)];
    case 2:
      return [focus === 'ride' && phase !== 'recovery' ? intervalRide(draft) : wednesdayRide(draft)];
    case 3:
      return [tempoOrEasyRun(draft)];
    case 5:
      return [saturday(draft)];
    default:
      return phase === 'recovery' && random.next() < 0.5 ? [hike(random)] : [longRun(draft)];
  }
}

function race({ name, sport, distance_m, intensity }: Race): Session {
  // Long enough for the slowest day; the race ends at its distance.
  const segments = [segment(4, intensity + 0.04), segment(6 * 60, intensity)];
  return { name, sport, isIndoor: false, startsAt: 9 * HOUR, segments, stopsAt_m: distance_m };
}

function run(name: string, startsAt: number, segments: readonly Segment[]): Session {
  return { name, sport: 'run', isIndoor: false, startsAt: Math.round(startsAt), segments };
}

function easyRun(minutes: number, random: Random): Session {
  return run('Easy run', random.between(6.3, 7.2) * HOUR, steady(minutes, 0.74));
}

function intervalRun({ volume, random }: Draft): Session {
  const count = Math.max(3, Math.round(5.5 * volume));
  const [minutes, intensity] = random.pick(REPETITIONS);
  const segments = intervals({ count, minutes, intensity, rest: 2, easy: 0.74 });
  return run(`Intervals ${count} × ${minutes} min`, random.between(17.6, 18.6) * HOUR, segments);
}

function tempoOrEasyRun({ day, volume, random, focus }: Draft): Session {
  const phase = phaseOf(day);
  const isHard = focus === 'run' && (phase === 'build' || phase === 'peak') && random.next() < 0.55;
  if (!isHard) return easyRun(30 + 22 * volume, random);
  const minutes = Math.round(20 * volume);
  const segments = [segment(12, 0.74), segment(minutes, 0.95), segment(10, 0.7)];
  return run(`Tempo run ${minutes} min`, random.between(6.2, 7) * HOUR, segments);
}

function longRun({ volume, random, focus }: Draft): Session {
  const minutes = (focus === 'run' ? 98 : 72) * volume + 12;
  return run('Long run', random.between(8.2, 9.6) * HOUR, steady(minutes, 0.75));
}

function ride(name: string, startsAt: number, segments: readonly Segment[]): Session {
  return { name, sport: 'ride', isIndoor: false, startsAt: Math.round(startsAt), segments };
}

function wednesdayRide({ day, volume, random }: Draft): Session {
  const startsAt = random.between(17.4, 18.4) * HOUR;
  const outdoor = ride('Evening ride', startsAt, steady(45 + 38 * volume, 0.7));
  return isDark(day) ? { ...outdoor, name: 'Indoor ride', isIndoor: true } : outdoor;
}

function intervalRide({ day, volume, random }: Draft): Session {
  const count = Math.max(2, Math.round(3.4 * volume));
  const segments = intervals({ count, minutes: 10, intensity: 0.96, rest: 5, easy: 0.66 });
  const session = ride(`Threshold ride ${count} × 10 min`, random.between(17.2, 18) * HOUR, segments);
  return { ...session, isIndoor: isDark(day) };
}

/** Swim and strength, week by week in turn. */
function monday({ day, volume, random }: Draft): Session {
  return weekInCycle(day) % 2 === 1 ? swim(42 * volume + 8, random) : strength(random);
}

function saturday(draft: Draft): Session {
  const { day, volume, random, focus } = draft;
  const isFrozen = yearFraction(day) < 0.12 || yearFraction(day) > 0.95;
  if (isFrozen && random.next() < 0.5) {
    const segments = steady(75 + 30 * volume, 0.72);
    return { name: 'Cross-country ski', sport: 'ski', isIndoor: false, startsAt: 10 * HOUR, segments };
  }
  const minutes = (focus === 'ride' ? 205 : 125) * volume + 15;
  return ride('Long ride', random.between(9, 10.5) * HOUR, steady(minutes, 0.68));
}

function swim(minutes: number, random: Random): Session {
  const startsAt = Math.round(random.between(6.4, 6.8) * HOUR);
  return { name: 'Pool swim', sport: 'swim', isIndoor: true, startsAt, segments: steady(minutes, 0.76) };
}

function strength(random: Random): Session {
  const sets = Array.from({ length: random.whole(12, 16) }, () => [segment(0.8, 0.68), segment(1.6, 0.36)]);
  const startsAt = Math.round(random.between(17.5, 18.5) * HOUR);
  return { name: 'Strength', sport: 'strength', isIndoor: true, startsAt, segments: sets.flat() };
}

function hike(random: Random): Session {
  const segments = steady(random.between(100, 170), 0.5);
  return { name: 'Hike', sport: 'hike', isIndoor: false, startsAt: 10 * HOUR, segments };
}

/** Too dark for a ride after work. */
function isDark(day: Day): boolean {
  return yearFraction(day) < 0.22 || yearFraction(day) > 0.79;
}
