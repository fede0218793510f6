import type { TimeChart } from '../charts/time-chart.ts';
import type { Day } from '../calendar/days.ts';

export interface ChartNight {
  readonly day: Day;
  readonly score: number;
  readonly duration_hours: number;
  readonly hrv_rmssd_ms: number | null;
}

/** Score and duration of each night, and HRV if it was measured. The nights are the oldest first. */
export function toSleepChart(nights: readonly ChartNight[]): TimeChart {
  const points = (name: 'score' | 'duration_hours' | 'hrv_rmssd_ms') =>
    nights.map((night) => ({ day: night.day, value: night[name] }));
  const hasHrv = nights.some(({ hrv_rmssd_ms }) => hrv_rmssd_ms !== null);
  return {
    title: 'Sleep',
    from: nights[0]?.day ?? 0,
    to: nights.at(-1)?.day ?? 0,
    panels: [
      {
        title: 'Sleep score',
        series: [
          { kind: 'line', name: 'Sleep score', color: 'blue', isDaily: true, points: points('score') },
        ],
      },
      {
        title: 'Sleep (hours)',
        series: [{ kind: 'bars', name: 'Sleep (hours)', color: 'grey', points: points('duration_hours') }],
      },
      ...(hasHrv
        ? [
            {
              title: 'HRV (RMSSD, ms)',
              series: [
                {
                  kind: 'line',
                  name: 'HRV (RMSSD, ms)',
                  color: 'green',
                  isDaily: true,
                  points: points('hrv_rmssd_ms'),
                } as const,
              ],
            },
          ]
        : []),
    ],
  };
}
