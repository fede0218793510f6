import type { SportType } from '../../provider.ts';

/** Beginnings of the names that devices give to sports, in lower case and without separators. */
const NAMES: readonly (readonly [SportType, readonly string[]])[] = [
  ['run', ['run', 'trailrun', 'treadmill', 'jog']],
  ['ride', ['ride', 'bik', 'cycl', 'roadcycl', 'mountainbik', 'virtualride', 'gravel', 'ebik', 'indoorcycl']],
  ['swim', ['swim', 'openwater', 'lapswim']],
  ['hike', ['hik', 'snowshoe']],
  ['walk', ['walk']],
  ['strength', ['strength', 'weighttraining', 'fitnessequipment']],
  ['row', ['row', 'kayak', 'paddl']],
  ['ski', ['ski', 'crosscountryski', 'nordicski', 'alpineski', 'backcountryski', 'rollerski']],
];

export function toSport(name: string | undefined): SportType {
  const plain = (name ?? '').toLowerCase().replaceAll(/[^a-z]/g, '');
  if (plain === '') return 'other';
  return NAMES.find(([, starts]) => starts.some((start) => plain.startsWith(start)))?.[0] ?? 'other';
}
