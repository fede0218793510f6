import { computed, refused } from '../computed.ts';
import type { Computed } from '../computed.ts';

export interface ProgressInput {
  readonly start: number;
  readonly current: number;
  readonly target: number;
  /** Unix times in seconds. */
  readonly started_at: number;
  readonly now: number;
  readonly due_at: number;
}

export interface GoalProgress {
  /** Share of the way from start to target in percent; below 0 for a step back. */
  readonly percent: number;
  /** Share of the time that has passed in percent, 0 to 100. */
  readonly time_percent: number;
  readonly status: 'reached' | 'ahead' | 'on_track' | 'behind' | 'missed';
  /** The value on the due date if progress goes on as since the start; null on the first day. */
  readonly projected: number | null;
}

/** Progress against time: within 5 points of it is on track. Works for targets above and below the start. */
export function goalProgress(input: ProgressInput): Computed<GoalProgress> {
  const { start, current, target, started_at, now, due_at } = input;
  if (![start, current, target, started_at, now, due_at].every(Number.isFinite)) {
    return refused('Progress needs finite values and times.');
  }
  if (start === target) return refused('Progress needs a target that differs from the start.');
  if (due_at <= started_at) return refused('The due date must be after the start of the goal.');
  const percent = (100 * (current - start)) / (target - start);
  const passed = (now - started_at) / (due_at - started_at);
  const time_percent = 100 * Math.max(0, Math.min(1, passed));
  const running = now - started_at >= 86_400;
  return computed({
    percent,
    time_percent,
    status: statusOf(percent, time_percent, now > due_at),
    projected: running ? start + (current - start) / Math.min(1, passed) : null,
  });
}

function statusOf(percent: number, time: number, overdue: boolean): GoalProgress['status'] {
  if (percent >= 100) return 'reached';
  if (overdue) return 'missed';
  if (percent > time + 5) return 'ahead';
  return percent >= time - 5 ? 'on_track' : 'behind';
}
