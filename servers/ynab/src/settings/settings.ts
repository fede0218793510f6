/** Whether tools change budgets: not at all, after a confirmation, or immediately. */
export type WriteMode = 'read-only' | 'preview' | 'enabled';

/** The tools that the server has. */
export type ToolProfile = 'core' | 'read-only' | 'full';

/** The settings of the server, from environment variables. */
export interface Settings {
  /** `YNAB_ACCESS_TOKEN`. Without it, the server uses the embedded API. */
  readonly accessToken: string | undefined;
  /** `YNAB_DEFAULT_BUDGET_ID`. */
  readonly defaultBudgetId: string | undefined;
  /** `YNAB_EXPORT_PATH`: the only folder that exports are written to. */
  readonly exportPath: string | undefined;
  /** `YNAB_IMPORT_PATH`: the only folder that CSV files are read from. */
  readonly importPath: string | undefined;
  /** `YNAB_MCP_ENABLE_DELTA`: request only changes once a list is known. Default: true. */
  readonly isDeltaEnabled: boolean;
  /** `YNAB_MCP_WRITE_MODE`. Default: `preview`. */
  readonly writeMode: WriteMode;
  /** `YNAB_MCP_TOOL_PROFILE`. Default: `full`. */
  readonly toolProfile: ToolProfile;
  /** `YNAB_MCP_CACHE_MAX_ENTRIES`. Default: 1,000. */
  readonly cacheMaxEntries: number;
  /** `YNAB_MCP_CACHE_DEFAULT_TTL_MS`: lifetime of cached data in milliseconds, instead of the lifetime of each kind. */
  readonly cacheTtlMs: number | undefined;
  /** `YNAB_MCP_CACHE_STALE_MS`: time for which expired data is served while it is refreshed. Default: 120,000. */
  readonly cacheStaleMs: number;
  /** `YNAB_MCP_MINIFY_OUTPUT`. Default: true. */
  readonly minifyOutput: boolean;
  /** `YNAB_MCP_PRETTY_SPACES`: 0 to 10. Default: 2. */
  readonly prettySpaces: number;
  /** `LOG_LEVEL`. Default: `info`. */
  readonly logLevel: 'debug' | 'info' | 'warning' | 'error';
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings. Throws an error that names the variable, its value and the allowed values. */
export function readSettings(environment: Environment): Settings {
  const text = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const choice = <const TChoice extends string>(
    name: string,
    choices: readonly TChoice[],
    standard: TChoice,
  ): TChoice => {
    const given = text(name) ?? standard;
    const found = choices.find((each) => each === given);
    if (found === undefined)
      throw new Error(`${name} must be one of ${choices.join(', ')}; received "${given}".`);
    return found;
  };
  const flag = (name: string, standard: boolean): boolean =>
    choice(name, ['true', 'false'], standard ? 'true' : 'false') === 'true';
  const integer = (name: string, { min, max }: { min: number; max: number }): number | undefined => {
    const given = text(name);
    if (given === undefined) return undefined;
    const value = Number(given);
    if (/^\d+$/.test(given) && value >= min && value <= max) return value;
    throw new Error(`${name} must be an integer from ${min} to ${max}; received "${given}".`);
  };
  return {
    accessToken: text('YNAB_ACCESS_TOKEN'),
    defaultBudgetId: text('YNAB_DEFAULT_BUDGET_ID'),
    exportPath: text('YNAB_EXPORT_PATH'),
    importPath: text('YNAB_IMPORT_PATH'),
    isDeltaEnabled: flag('YNAB_MCP_ENABLE_DELTA', true),
    writeMode: choice('YNAB_MCP_WRITE_MODE', ['read-only', 'preview', 'enabled'], 'preview'),
    toolProfile: choice('YNAB_MCP_TOOL_PROFILE', ['core', 'read-only', 'full'], 'full'),
    cacheMaxEntries: integer('YNAB_MCP_CACHE_MAX_ENTRIES', { min: 1, max: 1_000_000 }) ?? 1000,
    cacheTtlMs: integer('YNAB_MCP_CACHE_DEFAULT_TTL_MS', { min: 0, max: 86_400_000 }),
    cacheStaleMs: integer('YNAB_MCP_CACHE_STALE_MS', { min: 0, max: 86_400_000 }) ?? 120_000,
    minifyOutput: flag('YNAB_MCP_MINIFY_OUTPUT', true),
    prettySpaces: integer('YNAB_MCP_PRETTY_SPACES', { min: 0, max: 10 }) ?? 2,
    logLevel: choice('LOG_LEVEL', ['debug', 'info', 'warning', 'error'], 'info'),
  };
}
