import type { Clock, ResponseFormatter } from 'toolwright/collaborators';
import type { Administration } from './accounts/administration.ts';
import type { FitnessCaller } from './accounts/caller.ts';
import type { Database } from './database/database.ts';
import type { Foods } from './foods/foods.ts';
import type { Providers } from './providers/providers.ts';
import type { Sources } from './providers/sources.ts';
import type { Recipes } from './recipes/recipes.ts';
import type { Settings } from './settings/settings.ts';

/** The parts of a server that all calls share. */
export interface FitnessParts {
  readonly settings: Settings;
  readonly database: Database;
  readonly providers: Providers;
  readonly foods: Foods;
  readonly recipes: Recipes;
  readonly administration: Administration;
  readonly formatter: ResponseFormatter;
  readonly clock: Clock;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The members that the server adds to the context of every call. */
export interface FitnessContext extends FitnessParts {
  /** The owner of the data. All reads and writes of data are by `caller.id`. */
  readonly caller: FitnessCaller;
  /** The providers that the caller can use. */
  readonly sources: Sources;
}
