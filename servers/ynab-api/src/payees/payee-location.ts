import type { Database } from '../database/database.ts';

export interface LocationRow {
  readonly id: string;
  readonly payee_id: string;
  readonly latitude: string;
  readonly longitude: string;
}

export function listLocations(database: Database, planId: string, since = -1): LocationRow[] {
  return database.all<LocationRow>(
    'SELECT id, payee_id, latitude, longitude FROM payee_locations WHERE plan_id = ? AND knowledge > ? ORDER BY rowid',
    planId,
    since,
  );
}

export function toLocation({ id, payee_id, latitude, longitude }: LocationRow): object {
  return { id, payee_id, latitude, longitude, deleted: false };
}
