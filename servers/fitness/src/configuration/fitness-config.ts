import { ToolError } from 'toolwright';
import type { Zone } from '../algorithms/zones/zone.ts';
import type { Database } from '../database/database.ts';

/** Five zones as an athlete sets them: each from `min` up to, but not including, `max`. */
export type ZoneSet = Readonly<
  Record<(typeof ZONE_KEYS)[number], { readonly min: number; readonly max: number }>
>;

/** Zones and thresholds of an athlete; absent values are not known. Zones are in bpm and W. */
export interface FitnessConfig {
  readonly heart_rate_zones?: ZoneSet | undefined;
  readonly power_zones?: ZoneSet | undefined;
  readonly ftp?: number | undefined;
  readonly lthr?: number | undefined;
  readonly max_hr?: number | undefined;
  readonly resting_hr?: number | undefined;
  readonly weight_kg?: number | undefined;
}

export interface NamedFitnessConfig {
  readonly name: string;
  /** ISO 8601, UTC. */
  readonly updated_at: string;
  readonly config: FitnessConfig;
}

export const ZONE_KEYS = ['zone1', 'zone2', 'zone3', 'zone4', 'zone5'] as const;

/** Name of the configuration that tools use for their computations. */
export const DEFAULT_CONFIG_NAME = 'default';

const MAX_CONFIGS = 50;

interface ConfigRow {
  readonly name: string;
  readonly document: string;
  readonly updated_at: number;
}

/** The configuration of a name; undefined if the owner has none of this name. */
export function findFitnessConfig(
  database: Database,
  owner: string,
  name: string = DEFAULT_CONFIG_NAME,
): NamedFitnessConfig | undefined {
  const row = database.first<ConfigRow>(
    'SELECT name, document, updated_at FROM fitness_configs WHERE owner = ? AND name = ?',
    owner,
    name,
  );
  return row && toConfig(row);
}

/** The values of a configuration; without any value if the owner has none of this name. */
export function readFitnessConfig(database: Database, owner: string, name?: string): FitnessConfig {
  return findFitnessConfig(database, owner, name)?.config ?? {};
}

/** All configurations of an owner, by name. */
export function listFitnessConfigs(database: Database, owner: string): readonly NamedFitnessConfig[] {
  const sql = 'SELECT name, document, updated_at FROM fitness_configs WHERE owner = ? ORDER BY name';
  return database.all<ConfigRow>(sql, owner).map(toConfig);
}

/** Stores a configuration in place of the one of the same name. */
export function writeFitnessConfig(
  database: Database,
  owner: string,
  { name, config, now }: { readonly name: string; readonly config: FitnessConfig; readonly now: number },
): void {
  const others = 'SELECT count(*) AS count FROM fitness_configs WHERE owner = ? AND name <> ?';
  if ((database.first<{ count: number }>(others, owner, name)?.count ?? 0) >= MAX_CONFIGS)
    throw new ToolError(`You have ${MAX_CONFIGS} fitness configurations, which is the limit.`, {
      suggestions: ['Delete one with delete_fitness_config.'],
    });
  database.run(
    `INSERT INTO fitness_configs (owner, name, document, updated_at) VALUES (?, ?, ?, ?)
    ON CONFLICT (owner, name) DO UPDATE SET document = excluded.document, updated_at = excluded.updated_at`,
    owner,
    name,
    JSON.stringify(config),
    now,
  );
}

/** Returns whether there was one of this name. */
export function deleteFitnessConfig(database: Database, owner: string, name: string): boolean {
  return database.run('DELETE FROM fitness_configs WHERE owner = ? AND name = ?', owner, name) > 0;
}

/** Zones in the form of the algorithms. */
export function toZones(set: ZoneSet): readonly Zone[] {
  return ZONE_KEYS.map((key, index) => ({ zone: (index + 1) as Zone['zone'], ...set[key] }));
}

function toConfig({ name, document, updated_at: at }: ConfigRow): NamedFitnessConfig {
  return { name, updated_at: new Date(at).toISOString(), config: JSON.parse(document) as FitnessConfig };
}
