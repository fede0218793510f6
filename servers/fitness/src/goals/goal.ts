import type { SportType } from '../providers/provider.ts';

export const GOAL_TYPES = ['distance', 'time', 'frequency', 'performance', 'custom'] as const;
export type GoalType = (typeof GOAL_TYPES)[number];
/** Types with a value that activities have. */
export type MeasuredType = Exclude<GoalType, 'custom'>;

export interface GoalDraft {
  readonly title: string;
  readonly goal_type: GoalType;
  readonly target_value: number;
  /** `YYYY-MM-DD`, the last day. */
  readonly target_date: string;
  readonly description: string | null;
  /** Null: all sports. */
  readonly sport_type: SportType | null;
}

export interface Goal extends GoalDraft {
  readonly goal_id: string;
  /** Milliseconds since 1970. */
  readonly created_at: number;
}
