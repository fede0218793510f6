import type { Migration } from '../migration.ts';

/** Foods are data of the server: `foods/load-foods.ts` writes them when the hash of the data file differs from the stored one. */
export const foodsMigration: Migration = {
  name: '0001-foods',
  sql: `
  CREATE TABLE food_source (digest TEXT NOT NULL) STRICT;

  -- Nutrients are per 100 g; null is a value that was not measured.
  CREATE TABLE foods (
    id INTEGER PRIMARY KEY, fdc_id TEXT NOT NULL UNIQUE, food_group TEXT NOT NULL, name TEXT NOT NULL,
    aliases TEXT NOT NULL,
    name_words TEXT NOT NULL, alias_words TEXT NOT NULL, -- in index form, parts separated by '|'
    energy_kcal REAL, protein_g REAL, carbohydrate_g REAL, fat_g REAL, saturated_fat_g REAL, fiber_g REAL,
    sugar_g REAL, sodium_mg REAL, potassium_mg REAL, calcium_mg REAL, iron_mg REAL, vitamin_c_mg REAL
  ) STRICT;

  CREATE TABLE food_portions (
    food_id INTEGER NOT NULL REFERENCES foods (id) ON DELETE CASCADE, position INTEGER NOT NULL,
    amount REAL NOT NULL, unit TEXT NOT NULL, grams REAL NOT NULL, PRIMARY KEY (food_id, position)
  ) STRICT, WITHOUT ROWID;

  -- Words in their index form, see foods/food-words.ts. The rowid is foods.id.
  CREATE VIRTUAL TABLE food_words USING fts5 (words, tokenize = 'unicode61', prefix = '2 3');
  `,
};
