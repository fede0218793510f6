import { findIntensity } from '../session-intensity.ts';
import type { Advice } from './recommendation.ts';
import type { TrainingFacts } from './training-facts.ts';

const GROWTH = 1.1;
const MOST_HARD = 0.3;
const LEAST_HARD = 0.1;
const FEW_SESSIONS = 8;
const REGULAR_SCORE = 60;

/** Rules about load, intensity and regularity. */
export function adviseTraining(facts: TrainingFacts): readonly Advice[] {
  if (facts.four_weeks.length === 0)
    return [
      {
        priority: 'medium',
        recommendation: 'Begin with two or three easy sessions a week.',
        reason: 'There is no activity of four weeks.',
      },
    ];
  const advice = [
    adviseForm(facts),
    adviseRatio(facts),
    adviseBalance(facts),
    adviseMonotony(facts),
    adviseRhythm(facts),
  ];
  const found = advice.filter((each) => each !== undefined);
  return found.length > 0 ? found : [adviseNothing(facts)];
}

function adviseForm({ load: { form_tsb, overtraining_risk, signs } }: TrainingFacts): Advice | undefined {
  if (overtraining_risk === 'high' || form_tsb < -20)
    return {
      priority: 'high',
      recommendation: 'Reduce the load of this week by a third.',
      reason: signs.join(' '),
    };
  if (form_tsb > 10)
    return {
      priority: 'medium',
      recommendation: 'Race, or raise the load: fitness falls otherwise.',
      reason: `Form (TSB) is ${form_tsb}, above 10.`,
    };
  return undefined;
}

function adviseRatio({ load, weekly_load }: TrainingFacts): Advice | undefined {
  const { workload_ratio: ratio, form_tsb } = load;
  if (ratio === null) return undefined;
  const reason = `Load of 7 days is ${ratio} times that of 28 days`;
  const limit = Math.round(GROWTH * weekly_load);
  if (ratio > 1.3)
    return {
      priority: ratio > 1.5 ? 'high' : 'medium',
      recommendation: `Do not raise the load: at most ${limit} TSS in the next week.`,
      reason: `${reason}; injuries are more frequent above 1.3.`,
    };
  if (ratio >= 0.8 || form_tsb < 0) return undefined;
  return {
    priority: 'low',
    recommendation: `You can train more: up to ${limit} TSS in the next week.`,
    reason: `${reason}, below 0.8, and form (TSB) is ${form_tsb}; the limit is 10 % above the mean of four weeks.`,
  };
}

function adviseBalance({ four_weeks, athlete }: TrainingFacts): Advice | undefined {
  const known = four_weeks.flatMap((activity) => findIntensity(activity, athlete) ?? []);
  if (known.length < FEW_SESSIONS) return undefined;
  const hard = known.filter(({ isHard }) => isHard).length;
  const reason = `${hard} of ${known.length} sessions in four weeks reached the threshold; 10 to 30 % are usual for endurance athletes.`;
  if (hard / known.length > MOST_HARD)
    return { priority: 'medium', recommendation: 'Keep more of your sessions easy.', reason };
  if (hard / known.length < LEAST_HARD)
    return { priority: 'low', recommendation: 'Add one hard session a week, such as intervals.', reason };
  return undefined;
}

function adviseMonotony({ load: { monotony } }: TrainingFacts): Advice | undefined {
  if (monotony === null || monotony <= 2) return undefined;
  return {
    priority: 'medium',
    recommendation: 'Vary the load: follow hard days with easy or free ones.',
    reason: `Monotony of the week is ${monotony}; illness is more frequent above 2.`,
  };
}

function adviseRhythm({ consistency }: TrainingFacts): Advice | undefined {
  if (consistency === null || consistency.score >= REGULAR_SCORE) return undefined;
  return {
    priority: 'medium',
    recommendation: `Train on ${Math.max(2, Math.round(consistency.mean_days_per_week))} days every week.`,
    reason: `Consistency is ${Math.round(consistency.score)} of 100 in ${consistency.weeks} weeks (regular from ${REGULAR_SCORE}).`,
  };
}

function adviseNothing({ load: { form_tsb, workload_ratio, monotony } }: TrainingFacts): Advice {
  return {
    priority: 'low',
    recommendation: 'Keep your weekly load.',
    reason: `Form (TSB) ${form_tsb}, workload ratio ${workload_ratio ?? 'unknown'} and monotony ${monotony ?? 'unknown'} are in their ranges.`,
  };
}
