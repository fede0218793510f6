import { expect, test } from 'vitest';
import { listAthleteValues, toAthleteValues } from '../../src/configuration/athlete-values.ts';
import { DEFAULTS, PARAMETERS } from '../../src/configuration/parameters.ts';
import type { Configuration } from '../../src/configuration/parameters.ts';
import type { Athlete } from '../../src/providers/provider.ts';

const NOW = Date.parse('2026-11-18T12:00:00Z');
const ATHLETE: Athlete = {
  id: '1',
  name: 'Ada',
  sex: 'female',
  birth_year: 1986,
  weight_kg: 60,
  height_cm: 170,
  max_heart_rate: null,
  resting_heart_rate: 50,
  ftp_w: 200,
  lactate_threshold_heart_rate: null,
};
const base = { config: {}, configuration: DEFAULTS, now: NOW };

test('the nearest source takes precedence: call, fitness configuration, user configuration, provider', () => {
  const values = listAthleteValues({
    ...base,
    given: { ftp: 260 },
    config: { ftp: 250, lthr: 165 },
    configuration: { ...DEFAULTS, ftp: 240, lthr: 160, max_hr: 185 },
    athlete: ATHLETE,
  });
  expect(values).toEqual([
    { name: 'ftp', value: 260, source: 'argument' },
    { name: 'lthr', value: 165, source: 'fitness_config' },
    { name: 'max_hr', value: 185, source: 'user_configuration' },
    { name: 'resting_hr', value: 50, source: 'provider' },
    { name: 'weight_kg', value: 60, source: 'provider' },
  ]);
  expect(toAthleteValues(values)).toEqual({
    ftp: 260,
    lthr: 165,
    max_hr: 185,
    resting_hr: 50,
    weight_kg: 60,
  });
});

// 208 − 0.7 · 40 = 180; 211 − 0.64 · 40 = 185.4; 88 and 85 % of them.
test.each([
  ['tanaka', 'trained', 180, 158],
  ['nes', 'untrained', 185, 158],
] as const)('%s and %s estimate the unknown maximum and threshold', (formula, status, max_hr, lthr) => {
  const configuration = { ...DEFAULTS, max_hr_formula: formula, training_status: status };
  const values = listAthleteValues({ ...base, configuration, athlete: ATHLETE });
  expect(values).toContainEqual({ name: 'max_hr', value: max_hr, source: 'estimate' });
  expect(values).toContainEqual({ name: 'lthr', value: lthr, source: 'estimate' });
});

// At 50 years: 220 − 50, 208 − 35, 211 − 32, 206 − 44; 85, 88 and 91 % of 173.
test('every formula and status of the catalog has its own estimate', () => {
  const athlete = { ...ATHLETE, birth_year: 1976 };
  const estimate = (changes: Partial<Configuration>, name: 'max_hr' | 'lthr'): number | null =>
    toAthleteValues(listAthleteValues({ ...base, configuration: { ...DEFAULTS, ...changes }, athlete }))[
      name
    ];
  const choicesOf = (name: 'max_hr_formula' | 'training_status'): readonly string[] => {
    const parameter = PARAMETERS[name];
    return 'choices' in parameter ? parameter.choices : [];
  };
  const maximums = choicesOf('max_hr_formula').map((each) => [
    each,
    estimate({ max_hr_formula: each as Configuration['max_hr_formula'] }, 'max_hr'),
  ]);
  expect(Object.fromEntries(maximums)).toEqual({ tanaka: 173, fox: 170, nes: 179, gulati: 162 });
  const thresholds = choicesOf('training_status').map((each) => [
    each,
    estimate({ training_status: each as Configuration['training_status'] }, 'lthr'),
  ]);
  expect(Object.fromEntries(thresholds)).toEqual({ untrained: 147, trained: 152, well_trained: 157 });
});

test('a value without any source is null', () => {
  expect(toAthleteValues(listAthleteValues(base))).toEqual({
    ftp: null,
    lthr: null,
    max_hr: null,
    resting_hr: null,
    weight_kg: null,
  });
});
