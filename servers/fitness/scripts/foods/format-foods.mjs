import { toPortions } from './portions.mjs';

/** Columns of `data/foods.tsv` after `fdc_id`, `group`, `name` and `aliases`, with their names in SR28's CSV. */
const NUTRIENTS = [
  ['energy_kcal', 'kcal'],
  ['protein_g', 'protein_g'],
  ['carbohydrate_g', 'carbs_g'],
  ['fat_g', 'fat_g'],
  ['saturated_fat_g', 'saturated_g'],
  ['fiber_g', 'fiber_g'],
  ['sugar_g', 'sugar_g'],
  ['sodium_mg', 'sodium_mg'],
  ['potassium_mg', 'potassium_mg'],
  ['calcium_mg', 'calcium_mg'],
  ['iron_mg', 'iron_mg'],
  ['vitamin_c_mg', 'vitamin_c_mg'],
];

/** One line per food; a value that was not measured is empty. */
export function formatFoods(foods) {
  const header = ['fdc_id', 'group', 'name', 'aliases', ...NUTRIENTS.map(([name]) => name), 'portions'];
  const lines = foods.map(({ food, group, name, aliases, portions }) =>
    [
      food.id,
      group,
      name,
      aliases,
      ...NUTRIENTS.map(([, key]) => toNumber(food[key])),
      toPortions(portions),
    ].join('\t'),
  );
  return `${[header.join('\t'), ...lines].join('\n')}\n`;
}

function toNumber(text) {
  return text === undefined || text === '' ? '' : String(Number(text));
}
