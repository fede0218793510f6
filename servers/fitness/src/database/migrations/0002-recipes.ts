import type { Migration } from '../migration.ts';

export const recipesMigration: Migration = {
  name: '0002-recipes',
  sql: `
  -- 'document' is the recipe as given, in JSON. Nutrition is computed when a recipe is read, so it follows the food data.
  CREATE TABLE recipes (
    id INTEGER PRIMARY KEY, recipe_id TEXT NOT NULL UNIQUE, owner TEXT NOT NULL, name TEXT NOT NULL,
    meal_timing TEXT NOT NULL, document TEXT NOT NULL, created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX recipes_of_owner ON recipes (owner, id);

  CREATE TABLE recipe_tags (
    id INTEGER NOT NULL REFERENCES recipes (id) ON DELETE CASCADE, tag TEXT NOT NULL, PRIMARY KEY (id, tag)
  ) STRICT, WITHOUT ROWID;

  -- The rowid is recipes.id.
  CREATE VIRTUAL TABLE recipe_words USING fts5 (
    name, tags, ingredients, description, tokenize = 'porter unicode61', prefix = '2 3'
  );
  `,
};
