import { createLogger, createServer, ResourcesManager } from 'toolwright';
import type { Logger, ToolCall, ToolwrightServer } from 'toolwright';
import { ResponseFormatter, systemClock } from 'toolwright/collaborators';
import type { Clock } from 'toolwright/collaborators';
import type { RateLimitStore } from 'toolwright/stores';
import { Administration } from './accounts/administration.ts';
import { toCaller } from './accounts/caller.ts';
import type { FitnessContext, FitnessParts } from './context.ts';
import type { Database } from './database/database.ts';
import { FitnessErrorHandler } from './errors/fitness-error-handler.ts';
import { activitiesExport } from './exports/activities-export.ts';
import { createExportPolicy } from './exports/export-resource.ts';
import { streamsExport } from './exports/streams-export.ts';
import { Foods } from './foods/foods.ts';
import { loadFoods } from './foods/load-foods.ts';
import { ToolGate } from './gate/tool-gate.ts';
import { CallLimits } from './limits/call-limits.ts';
import { createLimitedWrapper } from './limits/limited-wrapper.ts';
import type { Providers } from './providers/providers.ts';
import { Sources } from './providers/sources.ts';
import { Recipes } from './recipes/recipes.ts';
import type { Settings } from './settings/settings.ts';
import { createRegistry } from './tools/create-registry.ts';

export const VERSION = '0.1.0';

const INSTRUCTIONS = `Training data: activities, training load, sleep, nutrition and recipes. Without a token, all tools answer for a demonstration athlete.
Start with get_activities for ids. Lists are pages: next_offset is the offset of the next one. format "toon" needs fewer tokens.`;

export interface FitnessServerOptions {
  readonly settings: Settings;
  /** Stays open when the server is closed. */
  readonly database: Database;
  /** Counts the calls of tenants and users. Stays open when the server is closed. */
  readonly rateLimits: RateLimitStore;
  /** Stay open when the server is closed. */
  readonly providers: Providers;
  readonly clock?: Clock;
  readonly logger?: Logger;
}

export interface FitnessServer {
  readonly server: ToolwrightServer<FitnessContext>;
  readonly administration: Administration;
  close(): Promise<void>;
}

/** Creates the fitness server. */
export function createFitnessServer(options: FitnessServerOptions): FitnessServer {
  const { settings, database, clock = systemClock } = options;
  const logger = options.logger ?? createLogger({ level: settings.logLevel });
  const gate = new ToolGate(database, settings.disabledTools);
  const parts = createParts({ ...options, clock }, gate);
  const { providers, formatter, now } = parts;
  const limits = new CallLimits({
    store: options.rateLimits,
    findStanding: (principal) => gate.findStanding(principal),
    clock,
  });
  const tools = createRegistry({ settings, providers, policy: gate.policy });
  const server = createServer({
    name: 'fitness',
    version: VERSION,
    title: 'Training data',
    instructions: INSTRUCTIONS,
    clock,
    logger,
    errorHandler: new FitnessErrorHandler({ logger }, now),
    responseFormatter: formatter,
    withSecurityWrapper: createLimitedWrapper(limits, { logger, clock }),
    createContext: ({ principal }: ToolCall): FitnessContext => {
      const caller = toCaller(gate, principal);
      return { ...parts, caller, sources: new Sources(providers, caller) };
    },
    tools,
    resources: new ResourcesManager<FitnessContext>({
      policy: createExportPolicy(gate.policy),
      resources: [activitiesExport, streamsExport],
    }),
  });
  const stopAnnouncing = gate.onChange(() => {
    server.announceChange('tools');
    server.announceChange('resources');
  });
  const stopWatching = gate.watch(clock);
  return {
    server,
    administration: parts.administration,
    close: async () => {
      stopWatching();
      stopAnnouncing();
      await server.close();
    },
  };
}

function createParts(
  { settings, database, providers, clock }: FitnessServerOptions & { readonly clock: Clock },
  gate: ToolGate,
): FitnessParts {
  const now = (): number => clock.wallTime?.() ?? clock.now();
  loadFoods(database);
  const foods = new Foods(database);
  return {
    settings,
    database,
    providers,
    foods,
    recipes: new Recipes(database, foods, { now, newId: () => crypto.randomUUID() }),
    administration: new Administration(database, {
      now,
      disabledTools: settings.disabledTools,
      onChange: () => gate.refresh(),
    }),
    formatter: new ResponseFormatter(),
    clock,
    now,
  };
}
