import { findOutOfBounds } from '../bounds.ts';
import { computed, refused } from '../computed.ts';
import type { Computed } from '../computed.ts';
import type { WorkoutIntensity } from '../energy/workout-intensity.ts';

export interface ScheduleInput {
  readonly tsb: number;
  readonly atl: number;
  /** `HH:MM`. */
  readonly wake_time: string;
  /** Default 8. */
  readonly target_hours?: number;
  /** Of the next workout. Default `moderate`. */
  readonly intensity?: WorkoutIntensity;
}

export interface SleepSchedule {
  readonly sleep_hours: number;
  /** `HH:MM`; half an hour before sleep begins. */
  readonly bedtime: string;
  readonly wake_time: string;
  readonly reasons: readonly string[];
}

const FALLING_ASLEEP_MIN = 30;

/** Adds half an hour for a form below −10, an hour below −20, and half an hour each for an acute load above 100 and a hard workout to come. */
export function sleepSchedule(input: ScheduleInput): Computed<SleepSchedule> {
  const { tsb, atl, wake_time, target_hours = 8, intensity = 'moderate' } = input;
  const wake = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(wake_time);
  if (wake === null) return refused(`Wake time "${wake_time}": use HH:MM from 00:00 to 23:59.`);
  const problem = findOutOfBounds([
    { name: 'Target of sleep', value: target_hours, min: 4, max: 12, unit: 'hours' },
    { name: 'Form', value: tsb, min: -300, max: 300, unit: '' },
    { name: 'Acute load', value: atl, min: 0, max: 1000, unit: '' },
  ]);
  if (problem !== undefined) return refused(problem);
  const reasons: string[] = [];
  let hours = target_hours;
  if (tsb < -10) {
    const extra = tsb < -20 ? 1 : 0.5;
    hours += extra;
    reasons.push(
      `${extra} h more, because form (${tsb.toFixed(1)}) is below ${extra === 1 ? '−20' : '−10'}.`,
    );
  }
  if (atl > 100) {
    hours += 0.5;
    reasons.push(`0.5 h more, because acute load (${atl.toFixed(1)}) is above 100.`);
  }
  if (intensity === 'high') {
    hours += 0.5;
    reasons.push('0.5 h more, because the next workout is hard.');
  }
  const wakeMinutes = Number(wake[1]) * 60 + Number(wake[2]);
  const bed = (((wakeMinutes - Math.round(hours * 60) - FALLING_ASLEEP_MIN) % 1440) + 1440) % 1440;
  const two = (value: number): string => String(value).padStart(2, '0');
  return computed({
    sleep_hours: hours,
    bedtime: `${two(Math.floor(bed / 60))}:${two(bed % 60)}`,
    wake_time,
    reasons,
  });
}
