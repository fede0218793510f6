import type { TimeChart } from '../../charts/time-chart.ts';
import type { LoadHistory } from './training-load-history.ts';

/** Load of each day with fitness and fatigue, and form below. */
export function toLoadChart({ days, period: { from, to } }: LoadHistory): TimeChart {
  const points = (name: 'load' | 'ctl' | 'atl' | 'tsb') =>
    days.map((each) => ({ day: each.day, value: each[name] }));
  return {
    title: 'Training load',
    from,
    to,
    panels: [
      {
        title: 'TSS a day',
        series: [
          { kind: 'bars', name: 'Load', color: 'grey', points: points('load') },
          { kind: 'line', name: 'Fitness (CTL)', color: 'blue', points: points('ctl') },
          { kind: 'line', name: 'Fatigue (ATL)', color: 'orange', isDashed: true, points: points('atl') },
        ],
      },
      {
        title: 'TSS a day',
        hasZero: true,
        series: [{ kind: 'line', name: 'Form (TSB = CTL − ATL)', color: 'green', points: points('tsb') }],
      },
    ],
  };
}
