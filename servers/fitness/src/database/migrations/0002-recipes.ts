import type { Migration } from '../migration.ts';

export const recipesMigration: Migration = {
  name: '0002-recipes',
  sql: `
  -- 'document' is the recipe as given, in JSON. Nutrition is computed when a recipe is read, so it follows the food data.
  CREATE TABLE recipes (
    id TEXT PRIMARY KEY, owner TEXT NOT NULL, name TEXT NOT NULL, meal_timing TEXT NOT NULL,
    document TEXT NOT NULL, created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX recipes_of_owner ON recipes (owner, created_at);

  CREATE TABLE recipe_tags (
    recipe_id TEXT NOT NULL REFERENCES recipes (id) ON DELETE CASCADE, tag TEXT NOT NULL,
    PRIMARY KEY (recipe_id, tag)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX recipe_tags_by_tag ON recipe_tags (tag, recipe_id);

  CREATE VIRTUAL TABLE recipe_words USING fts5 (
    recipe_id UNINDEXED, name, tags, ingredients, description, tokenize = 'porter unicode61', prefix = '2 3'
  );
  `,
};
