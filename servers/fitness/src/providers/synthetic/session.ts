import type { SportType } from '../provider.ts';

/** A stretch of an activity at one intensity, relative to the threshold. */
export interface Segment {
  readonly seconds: number;
  readonly intensity: number;
}

/** One planned activity. */
export interface Session {
  readonly name: string;
  readonly sport: SportType;
  readonly isIndoor: boolean;
  /** Local time of the start, in seconds since midnight. */
  readonly startsAt: number;
  readonly segments: readonly Segment[];
  /** The activity ends at this distance, not after its segments. */
  readonly stopsAt_m?: number;
}

export function durationOf({ segments }: Session): number {
  return segments.reduce((sum, { seconds }) => sum + seconds, 0);
}

/** Training load like TSS: 100 for an hour at the threshold. */
export function loadOf({ segments }: Session): number {
  return segments.reduce((sum, { seconds, intensity }) => sum + (seconds / 36) * intensity ** 2, 0);
}

export function steady(minutes: number, intensity: number): readonly Segment[] {
  const warmUp = Math.min(8, minutes / 5);
  return [segment(warmUp, intensity - 0.1), segment(minutes - warmUp, intensity)];
}

/** Warm-up, repetitions with recoveries, cool-down. */
export function intervals(work: {
  readonly count: number;
  readonly minutes: number;
  readonly intensity: number;
  readonly rest: number;
  readonly easy: number;
}): readonly Segment[] {
  const repetitions = Array.from({ length: work.count }, () => [
    segment(work.minutes, work.intensity),
    segment(work.rest, work.easy - 0.08),
  ]);
  return [segment(14, work.easy), ...repetitions.flat(), segment(10, work.easy - 0.05)];
}

export function segment(minutes: number, intensity: number): Segment {
  return { seconds: Math.round(minutes * 60), intensity };
}
