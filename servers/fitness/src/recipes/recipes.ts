import type { Database, Value } from '../database/database.ts';
import type { Nutrients } from '../foods/food.ts';
import type { Foods } from '../foods/foods.ts';
import { NutritionError } from '../foods/nutrition-error.ts';
import { analyzeRecipe } from './analyze-recipe.ts';
import type { RecipeAnalysis } from './analyze-recipe.ts';
import { MEAL_TIMINGS } from './recipe.ts';
import type { MealTiming, Recipe } from './recipe.ts';
import { assertRecipe, checkChoice, checkRange, throwIssues } from './validate-draft.ts';

export interface StoredRecipe {
  readonly recipe_id: string;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  readonly recipe: Recipe;
  readonly analysis: RecipeAnalysis;
}

export interface RecipeSummary {
  readonly recipe_id: string;
  readonly name: string;
  readonly meal_timing: MealTiming;
  readonly tags: readonly string[];
  readonly servings: number;
  readonly created_at: string;
  readonly per_serving: Pick<Nutrients, 'energy_kcal' | 'protein_g' | 'carbohydrate_g' | 'fat_g'>;
}

export interface RecipePage {
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly recipes: readonly RecipeSummary[];
}

export interface RecipeFilter {
  readonly meal_timing?: MealTiming | undefined;
  /** A recipe must have all of them. */
  readonly tags?: readonly string[] | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/** `now` is in milliseconds since 1970; `newId` returns an id that was never used. */
export interface RecipesOptions {
  readonly now: () => number;
  readonly newId: () => string;
}

interface RecipeRow {
  readonly id: number;
  readonly recipe_id: string;
  readonly document: string;
  readonly created_at: number;
}

/** A recipe in the database, with the foods of its ingredients by position. */
interface Document {
  readonly recipe: Recipe;
  readonly foods: readonly string[];
}

const MAX_RECIPES = 1000;
const MAX_LIMIT = 100;
const MAX_OFFSET = 1_000_000;

/** The recipes of all owners. Every method sees those of one owner: the id of another owner's recipe is unknown. */
export class Recipes {
  readonly #database: Database;
  readonly #foods: Foods;
  readonly #options: RecipesOptions;

  constructor(database: Database, foods: Foods, options: RecipesOptions) {
    this.#database = database;
    this.#foods = foods;
    this.#options = options;
  }

  /** Stores a recipe. An ingredient without a food or a weight is an error with the choices. */
  save(owner: string, recipe: Recipe): StoredRecipe {
    assertRecipe(recipe);
    const analysis = analyzeRecipe(this.#foods, recipe);
    if (analysis.unresolved.length > 0)
      throw new NutritionError(
        'unresolved_ingredients',
        analysis.unresolved.map(({ path, problem, choices }) => ({ path, message: problem, choices })),
      );
    const tags = [...new Set((recipe.tags ?? []).map(toTag))];
    const document: Document = {
      recipe: { ...recipe, tags },
      foods: analysis.ingredients.map(({ food }) => food.fdc_id),
    };
    const [recipeId, createdAt] = [this.#options.newId(), this.#options.now()];
    this.#database.write(() => {
      this.#assertRoom(owner);
      this.#database.insert('recipes', {
        recipe_id: recipeId,
        owner,
        name: recipe.name,
        meal_timing: analysis.meal_timing,
        document: JSON.stringify(document),
        created_at: createdAt,
      });
      const id =
        this.#database.first<{ id: number }>('SELECT id FROM recipes WHERE recipe_id = ?', recipeId)?.id ?? 0;
      for (const tag of tags) this.#database.insert('recipe_tags', { id, tag });
      this.#database.run(
        'INSERT INTO recipe_words (rowid, name, tags, ingredients, description) VALUES (?, ?, ?, ?, ?)',
        id,
        recipe.name,
        tags.join(' '),
        toIngredientWords(recipe, analysis),
        recipe.description ?? '',
      );
    });
    return toStored({ recipe_id: recipeId, created_at: createdAt }, document, analysis);
  }

  /** The newest first. */
  list(owner: string, filter: RecipeFilter = {}): RecipePage {
    return this.#select(owner, filter, { limit: 20 });
  }

  /** Recipes whose name, tags, ingredients or description have all words of a query, the best first. */
  search(owner: string, query: string, filter: RecipeFilter = {}): RecipePage {
    const words = findRecipeWords(query);
    if (words.length === 0)
      throw new NutritionError('invalid_input', [
        { path: 'query', message: `Invalid query "${query}": use at least one word of a recipe.` },
      ]);
    return this.#select(owner, filter, { limit: 10, match: words.map((word) => `"${word}"*`).join(' AND ') });
  }

  get(owner: string, recipeId: string): StoredRecipe {
    const row = this.#database.first<RecipeRow>(
      'SELECT id, recipe_id, document, created_at FROM recipes WHERE recipe_id = ? AND owner = ?',
      recipeId,
      owner,
    );
    if (row === undefined) throw toUnknown(recipeId);
    const document = JSON.parse(row.document) as Document;
    return toStored(row, document, analyzeRecipe(this.#foods, document.recipe, document.foods));
  }

  delete(owner: string, recipeId: string): void {
    this.#database.write(() => {
      const sql = 'SELECT id FROM recipes WHERE recipe_id = ? AND owner = ?';
      const row = this.#database.first<{ id: number }>(sql, recipeId, owner);
      if (row === undefined) throw toUnknown(recipeId);
      this.#database.run('DELETE FROM recipe_words WHERE rowid = ?', row.id);
      this.#database.run('DELETE FROM recipes WHERE id = ?', row.id);
    });
  }

  #select(
    owner: string,
    { meal_timing: timing, tags = [], limit: wanted, offset = 0 }: RecipeFilter,
    { limit: usual, match }: { readonly limit: number; readonly match?: string },
  ): RecipePage {
    const limit = wanted ?? usual;
    assertPage(limit, offset);
    throwIssues(checkChoice('meal_timing', timing, MEAL_TIMINGS));
    const conditions = ['r.owner = ?'];
    const values: Value[] = [owner];
    if (timing !== undefined) {
      conditions.push('r.meal_timing = ?');
      values.push(timing);
    }
    for (const tag of tags) {
      conditions.push('EXISTS (SELECT 1 FROM recipe_tags t WHERE t.id = r.id AND t.tag = ?)');
      values.push(toTag(tag));
    }
    if (match !== undefined) {
      conditions.push('recipe_words MATCH ?');
      values.push(match);
    }
    const words = match === undefined ? '' : 'JOIN recipe_words ON recipe_words.rowid = r.id';
    const order = match === undefined ? 'r.id DESC' : 'bm25(recipe_words, 10, 5, 3, 1), r.id DESC';
    const from = `FROM recipes r ${words} WHERE ${conditions.join(' AND ')}`;
    return this.#database.read(() => ({
      total:
        this.#database.first<{ total: number }>(`SELECT count(*) AS total ${from}`, ...values)?.total ?? 0,
      limit,
      offset,
      recipes: this.#database
        .all<RecipeRow>(
          `SELECT r.id, r.recipe_id, r.document, r.created_at ${from} ORDER BY ${order} LIMIT ? OFFSET ?`,
          ...values,
          limit,
          offset,
        )
        .map((row) => this.#toSummary(row)),
    }));
  }

  #toSummary(row: RecipeRow): RecipeSummary {
    const { recipe, foods } = JSON.parse(row.document) as Document;
    const { per_serving: serving, meal_timing: timing } = analyzeRecipe(this.#foods, recipe, foods);
    const { energy_kcal, protein_g, carbohydrate_g, fat_g } = serving;
    return {
      recipe_id: row.recipe_id,
      name: recipe.name,
      meal_timing: timing,
      tags: recipe.tags ?? [],
      servings: recipe.servings,
      created_at: new Date(row.created_at).toISOString(),
      per_serving: { energy_kcal, protein_g, carbohydrate_g, fat_g },
    };
  }

  #assertRoom(owner: string): void {
    const row = this.#database.first<{ count: number }>(
      'SELECT count(*) AS count FROM recipes WHERE owner = ?',
      owner,
    );
    if ((row?.count ?? 0) < MAX_RECIPES) return;
    throw new NutritionError('invalid_recipe', [
      { path: 'name', message: `You have ${MAX_RECIPES} recipes, which is the limit: delete one first.` },
    ]);
  }
}

function toStored(
  { recipe_id, created_at }: Pick<RecipeRow, 'recipe_id' | 'created_at'>,
  { recipe }: Document,
  analysis: RecipeAnalysis,
): StoredRecipe {
  return { recipe_id, created_at: new Date(created_at).toISOString(), recipe, analysis };
}

function toIngredientWords({ ingredients }: Recipe, analysis: RecipeAnalysis): string {
  return [...ingredients.map(({ name }) => name), ...analysis.ingredients.map(({ food }) => food.name)].join(
    ' ',
  );
}

/** The words of a query, as they are searched for. */
export function findRecipeWords(query: string): readonly string[] {
  return query.normalize('NFC').match(/[\p{L}\p{N}]+/gu) ?? [];
}

function toTag(tag: string): string {
  return tag.trim().toLowerCase();
}

function toUnknown(recipeId: string): NutritionError {
  return new NutritionError('unknown_recipe', [
    {
      path: 'recipe_id',
      message: `Unknown recipe "${recipeId}": find its id with list_recipes or search_recipes.`,
    },
  ]);
}

function assertPage(limit: number, offset: number): void {
  throwIssues([
    ...checkRange('limit', Number.isInteger(limit) ? limit : Number.NaN, { min: 1, max: MAX_LIMIT }),
    ...checkRange('offset', Number.isInteger(offset) ? offset : Number.NaN, { min: 0, max: MAX_OFFSET }),
  ]);
}
