import { rounded } from '../../tools/results/rounded.ts';
import type { Session } from '../session.ts';
import { findMetric } from './metrics.ts';
import type { MetricName } from './metrics.ts';

export interface MetricRow {
  readonly metric: MetricName;
  readonly value: number | null;
  readonly unit: string;
  readonly method: string;
}

/** The metrics of a session, with a note for each reason why some are null. */
export function listMetrics(
  session: Session,
  names: readonly MetricName[],
): { readonly rows: readonly MetricRow[]; readonly notes: readonly string[] } {
  const reasons = new Map<string, MetricName[]>();
  const rows = names.map((name): MetricRow => {
    const { compute, unit, digits, method } = findMetric(name);
    const value = compute(session);
    if (!value.ok) reasons.set(value.reason, [...(reasons.get(value.reason) ?? []), name]);
    return {
      metric: name,
      value: value.ok ? rounded(value.value, digits) : null,
      unit: typeof unit === 'string' ? unit : unit(session.activity.sport_type),
      method,
    };
  });
  return { rows, notes: [...reasons].map(([reason, refused]) => `${refused.join(', ')}: ${reason}`) };
}
