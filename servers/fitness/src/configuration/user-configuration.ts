import type { Database } from '../database/database.ts';
import { DEFAULTS, PARAMETER_NAMES } from './parameters.ts';
import type { Configuration, ParameterChanges, ParameterName } from './parameters.ts';
import { DEFAULT_PROFILE, PROFILES } from './profiles.ts';
import type { ProfileName } from './profiles.ts';

/** What a user has chosen: a profile, and parameters that take precedence over it. */
export interface UserConfiguration {
  readonly profile: ProfileName;
  readonly parameters: Partial<Configuration>;
  /** ISO 8601, UTC; null before the first change. */
  readonly updated_at: string | null;
}

/** One parameter with the origin of its value. */
export interface EffectiveParameter {
  readonly parameter: ParameterName;
  readonly value: string | number | null;
  readonly source: 'user' | 'profile' | 'default';
}

interface ConfigurationRow {
  readonly profile: ProfileName;
  readonly document: string;
  readonly updated_at: number;
}

export function findUserConfiguration(database: Database, owner: string): UserConfiguration {
  const sql = 'SELECT profile, document, updated_at FROM user_configurations WHERE owner = ?';
  const row = database.first<ConfigurationRow>(sql, owner);
  if (row === undefined) return { profile: DEFAULT_PROFILE, parameters: {}, updated_at: null };
  return {
    profile: row.profile,
    parameters: JSON.parse(row.document) as Partial<Configuration>,
    updated_at: new Date(row.updated_at).toISOString(),
  };
}

/** The values of all parameters of an owner. */
export function readConfiguration(database: Database, owner: string): Configuration {
  return toConfiguration(findUserConfiguration(database, owner));
}

export function toConfiguration({
  profile,
  parameters,
}: Omit<UserConfiguration, 'updated_at'>): Configuration {
  return { ...DEFAULTS, ...PROFILES[profile].values, ...parameters };
}

export function listEffectiveParameters({
  profile,
  parameters,
}: Omit<UserConfiguration, 'updated_at'>): readonly EffectiveParameter[] {
  const values = toConfiguration({ profile, parameters });
  return PARAMETER_NAMES.map((parameter) => ({
    parameter,
    value: values[parameter],
    source: parameter in parameters ? 'user' : parameter in PROFILES[profile].values ? 'profile' : 'default',
  }));
}

/** The parameters after changes; null removes one. */
export function changeParameters(
  parameters: Partial<Configuration>,
  changes: ParameterChanges,
): Partial<Configuration> {
  const changed = Object.entries({ ...parameters, ...changes });
  return Object.fromEntries(changed.filter(([, value]) => value !== null && value !== undefined));
}

export function writeUserConfiguration(
  database: Database,
  owner: string,
  { profile, parameters, now }: Omit<UserConfiguration, 'updated_at'> & { readonly now: number },
): void {
  database.run(
    `INSERT INTO user_configurations (owner, profile, document, updated_at) VALUES (?, ?, ?, ?)
    ON CONFLICT (owner) DO UPDATE SET
      profile = excluded.profile, document = excluded.document, updated_at = excluded.updated_at`,
    owner,
    profile,
    JSON.stringify(parameters),
    now,
  );
}
