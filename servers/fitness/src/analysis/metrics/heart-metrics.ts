import type { Computed } from '../../algorithms/computed.ts';
import { refused } from '../../algorithms/computed.ts';
import { banisterTrimp, banisterTrimpOfSamples } from '../../algorithms/load/trimp-banister.ts';
import { edwardsMinutes, edwardsTrimp } from '../../algorithms/load/trimp-edwards.ts';
import { luciaMinutes, luciaTrimp } from '../../algorithms/load/trimp-lucia.ts';
import { cardiacDrift } from '../../algorithms/streams/decoupling.ts';
import { secondsOfSession } from '../session.ts';
import type { Session } from '../session.ts';

/** First ventilatory threshold as a share of the second one, which LTHR stands for. */
export const VT1_SHARE = 0.85;

/** From samples; without them from the average, which gives less for a varied session. */
export function banisterOf(session: Session): Computed<number> {
  const { activity, athlete } = session;
  if (athlete.sex === null)
    return refused('TRIMP of Banister depends on sex, which the provider does not know.');
  const figures = athlete.require('resting_hr', 'max_hr');
  if (!figures.ok) return figures;
  const person = { sex: athlete.sex, ...figures.value };
  const samples = secondsOfSession(session, 'heart_rate');
  if (samples.ok) return banisterTrimpOfSamples(person, samples.value);
  const { average_heart_rate: average, moving_time_s } = activity;
  return average === null ? samples : banisterTrimp(person, moving_time_s / 60, average);
}

export function edwardsOf(session: Session): Computed<number> {
  const samples = secondsOfSession(session, 'heart_rate');
  if (!samples.ok) return samples;
  const figures = session.athlete.require('max_hr');
  if (!figures.ok) return figures;
  const minutes = edwardsMinutes(samples.value, figures.value.max_hr);
  return minutes.ok ? edwardsTrimp(minutes.value) : minutes;
}

export function luciaOf(session: Session): Computed<number> {
  const samples = secondsOfSession(session, 'heart_rate');
  if (!samples.ok) return samples;
  const figures = session.athlete.require('lthr');
  if (!figures.ok) return figures;
  const { lthr } = figures.value;
  const minutes = luciaMinutes(samples.value, { vt1_hr: VT1_SHARE * lthr, vt2_hr: lthr });
  return minutes.ok ? luciaTrimp(minutes.value) : minutes;
}

export function cardiacDriftOf(session: Session): Computed<number> {
  const samples = secondsOfSession(session, 'heart_rate');
  return samples.ok ? cardiacDrift(samples.value) : samples;
}
