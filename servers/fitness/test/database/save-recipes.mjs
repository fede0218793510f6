/** Saves recipes until it is killed, and prints the id of each one when it is saved: node save-recipes.mjs <file> <round>. */
import { writeSync } from 'node:fs';
import { createJiti } from 'jiti';

const MAX_RECIPES = 900;
const [, , file, round] = process.argv;
const load = (path) => createJiti(import.meta.url).import(`../../src/${path}`);
const { openDatabase } = await load('database/database.ts');
const { Foods } = await load('foods/foods.ts');
const { loadFoods } = await load('foods/load-foods.ts');
const { Recipes } = await load('recipes/recipes.ts');

const database = openDatabase(file);
loadFoods(database);
let number = 0;
const recipes = new Recipes(database, new Foods(database), {
  now: () => 0,
  newId: () => `${round}-${number}`,
});
for (; number < MAX_RECIPES; number += 1) {
  const recipe = {
    name: `Recipe ${round} ${number}`,
    servings: 1,
    ingredients: [{ name: '09003', amount: 1, unit: 'piece' }],
    instructions: ['Eat it.'],
    tags: ['one', 'two', `round-${round}`],
  };
  writeSync(1, `${recipes.save(`owner-${round}`, recipe).recipe_id}\n`);
}
