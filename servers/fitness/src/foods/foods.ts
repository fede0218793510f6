import type { Database } from '../database/database.ts';
import { toFdcId } from './fdc-id.ts';
import { NUTRIENTS } from './food.ts';
import type { Food, FoodSummary, Nutrient, Portion } from './food.ts';
import { searchFoods } from './search-foods.ts';
import type { RankedFood, SearchOptions } from './search-foods.ts';
import { NutritionError } from './nutrition-error.ts';

export interface FoodPage {
  readonly query: string;
  /** False if no food has all words of the query, so the page has foods with some of them. */
  readonly all_words: boolean;
  readonly total: number;
  readonly page_number: number;
  readonly page_size: number;
  readonly total_pages: number;
  readonly foods: readonly FoodListing[];
}

/** One row of a search result; nutrients are per 100 g. */
export interface FoodListing {
  readonly fdc_id: string;
  readonly name: string;
  readonly group: string;
  readonly energy_kcal: number | null;
  readonly protein_g: number | null;
  readonly carbohydrate_g: number | null;
  readonly fat_g: number | null;
}

type FoodRow = { id: number; fdc_id: string; food_group: string; name: string; aliases: string } & Record<
  Nutrient,
  number | null
>;

const MAX_PAGE_SIZE = 200;

/** The foods of a database that `loadFoods` has filled. */
export class Foods {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** One page of the foods that match a query, the plainest first. */
  search(query: string, pageSize = 10, pageNumber = 1): FoodPage {
    assertInteger(pageSize, 'page_size', MAX_PAGE_SIZE);
    assertInteger(pageNumber, 'page_number', Number.MAX_SAFE_INTEGER);
    const { ranked, allWords } = searchFoods(this.#database, query);
    const page = ranked.slice((pageNumber - 1) * pageSize, pageNumber * pageSize);
    return {
      query,
      all_words: allWords,
      total: ranked.length,
      page_number: pageNumber,
      page_size: pageSize,
      total_pages: Math.ceil(ranked.length / pageSize),
      foods: page.map(({ food }) => this.#toListing(food)),
    };
  }

  /** The foods that match a name, with their confidence. Words in `hints` improve the rank and are not required. */
  rank(name: string, options: SearchOptions = {}): readonly RankedFood[] {
    return searchFoods(this.#database, name, options).ranked;
  }

  find(id: string | number): Food | undefined {
    const row = this.#database.first<FoodRow>('SELECT * FROM foods WHERE fdc_id = ?', toFdcId(id));
    return row === undefined ? undefined : this.#toFood(row);
  }

  get(id: string | number, path = 'fdc_id'): Food {
    const fdcId = toFdcId(id, path);
    const food = this.find(fdcId);
    if (food !== undefined) return food;
    throw new NutritionError('unknown_food', [
      {
        path,
        message: `Unknown food "${fdcId}": find its id with search_food.`,
        choices: this.suggest(fdcId).map((known) => `${known.fdc_id} ${known.name}`),
      },
    ]);
  }

  /** Foods whose id differs from an unknown one by a digit or by two exchanged neighbours, else those with the nearest ids. */
  suggest(id: string): readonly FoodSummary[] {
    const marks = (count: number): string => Array.from({ length: count }, () => '?').join(', ');
    const select = 'SELECT fdc_id, name, food_group AS "group", aliases FROM foods';
    const near = toNearIds(id);
    const alike = this.#database.all<FoodSummary>(
      `${select} WHERE fdc_id IN (${marks(near.length)}) ORDER BY abs(CAST(fdc_id AS INTEGER) - ?) LIMIT 3`,
      ...near,
      Number(id),
    );
    if (alike.length > 0) return alike;
    return this.#database.all<FoodSummary>(
      `${select} ORDER BY abs(CAST(fdc_id AS INTEGER) - ?) LIMIT 3`,
      Number(id),
    );
  }

  #toListing({ fdc_id, name, group }: FoodSummary): FoodListing {
    const row = this.#database.first<FoodRow>('SELECT * FROM foods WHERE fdc_id = ?', fdc_id);
    const { energy_kcal = null, protein_g = null, carbohydrate_g = null, fat_g = null } = row ?? {};
    return { fdc_id, name, group, energy_kcal, protein_g, carbohydrate_g, fat_g };
  }

  #toFood(row: FoodRow): Food {
    const values = NUTRIENTS.map((nutrient) => [nutrient, row[nutrient]] as const);
    const portions = this.#database.all<Portion>(
      'SELECT amount, unit, grams FROM food_portions WHERE food_id = ? ORDER BY position',
      row.id,
    );
    const { fdc_id, food_group: group, name, aliases } = row;
    return {
      fdc_id,
      name,
      group,
      aliases,
      nutrients_per_100g: Object.fromEntries(values) as Food['nutrients_per_100g'],
      portions,
    };
  }
}

function assertInteger(value: number, path: string, max: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= max) return;
  throw new NutritionError('invalid_input', [
    { path, message: `Invalid value ${value}: use an integer from 1 to ${max}.` },
  ]);
}

function toNearIds(id: string): string[] {
  const digits = id.split('');
  const near = digits.flatMap((_, index) =>
    '0123456789'.split('').map((digit) => digits.with(index, digit).join('')),
  );
  for (let index = 1; index < digits.length; index += 1)
    near.push(
      digits
        .with(index - 1, digits[index] ?? '')
        .with(index, digits[index - 1] ?? '')
        .join(''),
    );
  return near;
}
