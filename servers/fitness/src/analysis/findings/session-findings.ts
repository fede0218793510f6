import { meanOf } from '../../algorithms/statistics/spread.ts';
import { secondsOf } from '../../algorithms/streams/seconds.ts';
import { decouplingOf } from '../metrics/endurance-metrics.ts';
import { variabilityIndexOf } from '../metrics/power-metrics.ts';
import { rounded } from '../../tools/results/rounded.ts';
import { findSamples } from '../session.ts';
import type { Session } from '../session.ts';
import { findIntensity } from '../session-intensity.ts';
import type { Finding } from './finding.ts';

const GOOD_DECOUPLING = 5;
const STEADY_VARIABILITY = 1.05;
const VARIED_VARIABILITY = 1.15;
const EVEN_PERCENT = 3;
const LONG_PAUSES_PERCENT = 10;

/** Observations about one activity by itself. */
export function listSessionFindings(session: Session): readonly Finding[] {
  return [
    findEffort(session),
    findPacing(session),
    findEndurance(session),
    findSteadiness(session),
    findPauses(session),
  ].filter((finding) => finding !== undefined);
}

function findEffort({ activity, athlete }: Session): Finding | undefined {
  const intensity = findIntensity(activity, athlete);
  if (intensity === undefined) return undefined;
  return {
    topic: 'effort',
    finding: intensity.isHard ? 'Hard session' : 'Easy session',
    reason: intensity.reason,
  };
}

/** Compares the halves of a run or swim; terrain decides on the speed of others. */
function findPacing(session: Session): Finding | undefined {
  const speeds = findSamples(session, 'speed_mps');
  const isEven = session.activity.sport_type === 'run' || session.activity.sport_type === 'swim';
  if (speeds === undefined || !isEven) return undefined;
  const seconds = secondsOf(session.streams?.time_s ?? [], speeds);
  const middle = Math.floor(seconds.length / 2);
  const [first, second] = [meanOf(seconds.slice(0, middle)), meanOf(seconds.slice(middle))];
  if (first === undefined || second === undefined || first === 0) return undefined;
  const change = (100 * (second - first)) / first;
  const finding =
    change > EVEN_PERCENT
      ? 'Second half faster'
      : change < -EVEN_PERCENT
        ? 'Second half slower'
        : 'Even pace';
  return {
    topic: 'pacing',
    finding,
    reason: `Speed changed by ${percent(change)} from the first to the second half.`,
  };
}

function findEndurance(session: Session): Finding | undefined {
  const decoupling = decouplingOf(session);
  if (!decoupling.ok) return undefined;
  const isGood = decoupling.value <= GOOD_DECOUPLING;
  return {
    topic: 'endurance',
    finding: isGood ? 'Heart rate stayed coupled to output' : 'Heart rate drifted away from output',
    reason: `Output for each heartbeat changed by ${percent(-decoupling.value)} from half to half; a loss of up to ${GOOD_DECOUPLING} % is good for a steady session.`,
  };
}

function findSteadiness(session: Session): Finding | undefined {
  const index = variabilityIndexOf(session);
  if (!index.ok) return undefined;
  const finding =
    index.value <= STEADY_VARIABILITY
      ? 'Steady power'
      : index.value >= VARIED_VARIABILITY
        ? 'Power with many surges'
        : 'Slightly varied power';
  return {
    topic: 'steadiness',
    finding,
    reason: `Variability index ${index.value.toFixed(2)}; 1 is a steady effort.`,
  };
}

function findPauses({ activity: { moving_time_s, elapsed_time_s } }: Session): Finding | undefined {
  const paused = elapsed_time_s - moving_time_s;
  const share = elapsed_time_s === 0 ? 0 : (100 * paused) / elapsed_time_s;
  if (share <= LONG_PAUSES_PERCENT) return undefined;
  return {
    topic: 'pauses',
    finding: 'Long pauses',
    reason: `${Math.round(paused / 60)} of ${Math.round(elapsed_time_s / 60)} minutes were pauses.`,
  };
}

function percent(value: number): string {
  return `${rounded(value).toFixed(1).replace('-', '−')} %`;
}
