import { openDatabase } from '../../../src/database/database.ts';
import type { Database } from '../../../src/database/database.ts';
import { Foods } from '../../../src/foods/foods.ts';
import { loadFoods } from '../../../src/foods/load-foods.ts';

/** The foods of the data file, in memory. */
export function openFoods(): { database: Database; foods: Foods } {
  const database = openDatabase(':memory:');
  loadFoods(database);
  return { database, foods: new Foods(database) };
}
