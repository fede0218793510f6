export { parseCsv } from './csv.mjs';
export { toFoodName } from './food-name.mjs';
export { formatFoods } from './format-foods.mjs';
export { toPortions } from './portions.mjs';
export { selectFoods } from './select-foods.mjs';
