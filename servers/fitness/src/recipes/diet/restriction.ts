export const RESTRICTIONS = [
  'vegetarian',
  'vegan',
  'gluten_free',
  'dairy_free',
  'nut_free',
  'keto',
  'paleo',
] as const;

export type Restriction = (typeof RESTRICTIONS)[number];

/** `unclear` is a food that has or may have a forbidden part, depending on the brand or on the definition. */
export interface DietFinding {
  readonly verdict: 'violates' | 'unclear';
  readonly reason: string;
}
