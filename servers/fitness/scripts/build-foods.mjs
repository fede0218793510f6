/**
 * Writes data/foods.tsv from the two CSV files of SR28:
 *
 *   node servers/fitness/scripts/build-foods.mjs <folder with sr28-foods.csv and sr28-portions.csv>
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatFoods, parseCsv, selectFoods } from './foods/index.mjs';

const folder = process.argv[2];
if (folder === undefined) {
  console.error('Missing argument: the folder that has sr28-foods.csv and sr28-portions.csv.');
  process.exit(2);
}
const read = (name) => parseCsv(readFileSync(join(folder, name), 'utf8'));
const foods = selectFoods(read('sr28-foods.csv'), read('sr28-portions.csv'));
const text = formatFoods(foods);
writeFileSync(new URL('../data/foods.tsv', import.meta.url), text);
console.log(`Wrote ${foods.length} foods, ${Buffer.byteLength(text)} bytes.`);
