/** Words of a query that the food names lack, with a word that they have. Both are in the index form of `food-words.ts`. */
export const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['aubergine', 'eggplant'],
  ['beetroot', 'beet'],
  ['chilli', 'chili'],
  ['courgette', 'zucchini'],
  ['gammon', 'ham'],
  ['groundnut', 'peanut'],
  ['ketchup', 'catsup'],
  ['linseed', 'flaxseed'],
  ['maize', 'corn'],
  ['mince', 'ground'],
  ['minced', 'ground'],
  ['nonfat', 'free'],
  ['oatmeal', 'oat'],
  ['porridge', 'oat'],
  ['prawn', 'shrimp'],
  ['rocket', 'arugula'],
  ['skimmed', 'skim'],
  ['sultana', 'raisin'],
  ['swede', 'rutabaga'],
  ['venison', 'deer'],
  ['wholegrain', 'whole'],
  ['wholemeal', 'wheat'],
  ['wholewheat', 'wheat'],
  ['yoghurt', 'yogurt'],
]);

/** Compounds that the food names write in another way. */
export const COMPOUNDS: readonly (readonly [RegExp, string])[] = [
  [/\bsoy milk\b/g, 'soymilk'],
  [/\bpop corn\b/g, 'popcorn'],
  [/\bcorn starch\b/g, 'cornstarch'],
  [/\bflax seeds?\b/g, 'flaxseed'],
  [/\brolled oats\b/g, 'oats'],
  [/\begg whites\b/g, 'egg white'],
  [/\bmahi mahi\b/g, 'mahimahi'],
  [/\bextra virgin\b/g, ''],
];
