/** Grams of a unit of weight. `oz` is a weight; volumes are in cups and spoons. */
export const WEIGHT_UNITS = { g: 1, kg: 1000, oz: 28.349523125, lb: 453.59237 } as const;

/** Millilitres of a US unit of volume. */
export const VOLUME_UNITS = {
  ml: 1,
  cup: 236.5882365,
  tbsp: 14.78676478125,
  tsp: 4.92892159375,
} as const;

/** Units of volume that only portions of foods use. */
const PORTION_VOLUMES = {
  ...VOLUME_UNITS,
  'fl oz': 29.5735295625,
  pint: 473.176473,
  quart: 946.352946,
} as const;

export const UNITS = ['g', 'kg', 'oz', 'lb', 'ml', 'cup', 'tbsp', 'tsp', 'piece'] as const;

export type Unit = (typeof UNITS)[number];

/** The volume of the unit of a portion, and the words behind it: `cup, chopped` is 236.6 ml of something chopped. */
export function parsePortionVolume(
  unit: string,
): { unit: string; millilitres: number; state: string } | undefined {
  const [, name, state = ''] = /^(cup|tbsp|tsp|fl oz|pint|quart|ml)\b[\s,]*(.*)$/.exec(unit) ?? [];
  if (name === undefined) return undefined;
  return { unit: name, millilitres: PORTION_VOLUMES[name as keyof typeof PORTION_VOLUMES], state };
}
