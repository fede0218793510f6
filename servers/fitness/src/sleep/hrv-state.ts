import { compareHrv, hrvBaseline } from '../algorithms/sleep/heart-rate-variability.ts';
import type { HrvStatus } from '../algorithms/sleep/heart-rate-variability.ts';
import type { SleepNight } from '../providers/provider.ts';
import { toNullable } from '../tools/results/computed.ts';
import { rounded } from '../tools/results/rounded.ts';

/** HRV of the last night against its baseline. */
export interface HrvState {
  readonly rmssd_ms: number;
  readonly baseline_ms: number;
  readonly change_percent: number;
  readonly status: HrvStatus;
  readonly score: number;
}

export interface HrvInput {
  /** The oldest first; the last one is judged. */
  readonly nights: readonly SleepNight[];
  /** RMSSD of nights before the last one, the oldest first. Default: of `nights`. */
  readonly recent?: readonly number[] | undefined;
  /** Default: the mean of the nights before. */
  readonly baseline?: number | undefined;
}

/** Null without a value or a baseline, with a note. */
export function hrvState({ nights, recent, baseline }: HrvInput, notes: string[]): HrvState | null {
  const values = [...(recent ?? nights.slice(0, -1).map(({ hrv_rmssd_ms }) => hrv_rmssd_ms))];
  // Without a value of the night itself, the newest of the others takes its place.
  const current = nights.at(-1)?.hrv_rmssd_ms ?? (recent === undefined ? null : (values.pop() ?? null));
  if (current === null) {
    notes.push('hrv: The last night has no HRV.');
    return null;
  }
  const before = values.filter((value) => value !== null);
  const usual = baseline ?? toNullable('hrv', hrvBaseline(before), notes);
  if (usual === null) return null;
  const compared = toNullable('hrv', compareHrv(current, usual), notes);
  return (
    compared && {
      rmssd_ms: current,
      baseline_ms: rounded(usual),
      change_percent: rounded(compared.change_percent),
      status: compared.status,
      score: compared.score,
    }
  );
}
