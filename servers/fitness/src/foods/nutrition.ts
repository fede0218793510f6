import { NUTRIENTS } from './food.ts';
import type { Nutrient, Nutrients } from './food.ts';

/** Energy of one gram, in kcal: the general Atwater factors. */
const ATWATER = { carbohydrate_g: 4, protein_g: 4, fat_g: 9 } as const;

/** Shares of the energy of carbohydrate, protein and fat; they add up to 100. */
export interface EnergyShares {
  readonly carbohydrate_percent: number;
  readonly protein_percent: number;
  readonly fat_percent: number;
}

/** Sums of nutrients. A food without a value counts as zero and is named in `incomplete`; a nutrient without any value is null. */
export interface NutrientSum {
  readonly nutrients: Nutrients;
  readonly incomplete: readonly { readonly nutrient: Nutrient; readonly foods: readonly string[] }[];
}

export interface NamedNutrients {
  readonly name: string;
  readonly nutrients: Nutrients;
}

export function scaleNutrients(nutrients: Nutrients, factor: number): Nutrients {
  return mapNutrients((nutrient) => {
    const value = nutrients[nutrient];
    return value === null ? null : value * factor;
  });
}

export function sumNutrients(items: readonly NamedNutrients[]): NutrientSum {
  const incomplete: { nutrient: Nutrient; foods: string[] }[] = [];
  const nutrients = mapNutrients((nutrient) => {
    const without = items.filter((item) => item.nutrients[nutrient] === null);
    if (without.length > 0) incomplete.push({ nutrient, foods: without.map(({ name }) => name) });
    if (without.length === items.length) return null;
    return items.reduce((sum, item) => sum + (item.nutrients[nutrient] ?? 0), 0);
  });
  return { nutrients, incomplete };
}

/** Two decimals, for results. Computation goes on with the values that are not rounded. */
export function roundNutrients(nutrients: Nutrients): Nutrients {
  return mapNutrients((nutrient) => {
    const value = nutrients[nutrient];
    return value === null ? null : roundTo(value, 2);
  });
}

/** Null if there is no energy to share. */
export function toEnergyShares(nutrients: Nutrients): EnergyShares | null {
  const [carbohydrate, protein, fat] = (['carbohydrate_g', 'protein_g', 'fat_g'] as const).map(
    (nutrient) => (nutrients[nutrient] ?? 0) * ATWATER[nutrient],
  ) as [number, number, number];
  const total = carbohydrate + protein + fat;
  if (total <= 0) return null;
  return {
    carbohydrate_percent: roundTo((100 * carbohydrate) / total, 1),
    protein_percent: roundTo((100 * protein) / total, 1),
    fat_percent: roundTo((100 * fat) / total, 1),
  };
}

/** The grams that give shares of an energy. */
export function toMacroGrams(energyKcal: number, shares: EnergyShares): Record<keyof typeof ATWATER, number> {
  const toGrams = (percent: number, nutrient: keyof typeof ATWATER): number =>
    roundTo((energyKcal * percent) / 100 / ATWATER[nutrient], 1);
  return {
    carbohydrate_g: toGrams(shares.carbohydrate_percent, 'carbohydrate_g'),
    protein_g: toGrams(shares.protein_percent, 'protein_g'),
    fat_g: toGrams(shares.fat_percent, 'fat_g'),
  };
}

export function roundTo(value: number, decimals: number): number {
  const factor = 10 ** decimals;
  // Twelve digits remove the error of binary fractions, which would round 17.705 down.
  return Math.round(Number((value * factor).toPrecision(12))) / factor;
}

function mapNutrients(toValue: (nutrient: Nutrient) => number | null): Nutrients {
  return Object.fromEntries(NUTRIENTS.map((nutrient) => [nutrient, toValue(nutrient)])) as Nutrients;
}
