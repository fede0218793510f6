/** Nutrients in the order of the data file and the table `foods`. Values are per 100 g unless a name says otherwise. */
export const NUTRIENTS = [
  'energy_kcal',
  'protein_g',
  'carbohydrate_g',
  'fat_g',
  'saturated_fat_g',
  'fiber_g',
  'sugar_g',
  'sodium_mg',
  'potassium_mg',
  'calcium_mg',
  'iron_mg',
  'vitamin_c_mg',
] as const;

export type Nutrient = (typeof NUTRIENTS)[number];

/** Null is a value that was not measured; it is not zero. */
export type Nutrients = Readonly<Record<Nutrient, number | null>>;

/** The weight of an amount of a household unit: `1 cup, chopped` of 91 g. */
export interface Portion {
  readonly amount: number;
  readonly unit: string;
  readonly grams: number;
}

export interface FoodSummary {
  readonly fdc_id: string;
  readonly name: string;
  readonly group: string;
  /** Other names, separated by commas; empty if there are none. */
  readonly aliases: string;
}

export interface Food extends FoodSummary {
  readonly nutrients_per_100g: Nutrients;
  readonly portions: readonly Portion[];
}
