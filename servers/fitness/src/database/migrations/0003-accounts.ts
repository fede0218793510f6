import type { Migration } from '../migration.ts';

const GATED = ['tenants', 'users', 'overrides'];

/** Every change of a row that decides about tools raises the revision, whichever process and statement made it. */
const TRIGGERS = GATED.flatMap((table) =>
  ['INSERT', 'UPDATE', 'DELETE'].map(
    (change) => `CREATE TRIGGER ${table}_${change.toLowerCase()} AFTER ${change} ON ${table}
    BEGIN UPDATE gate_revision SET revision = revision + 1; END;`,
  ),
);

export const accountsMigration: Migration = {
  name: '0003-accounts',
  sql: `
  CREATE TABLE tenants (
    id TEXT PRIMARY KEY, plan TEXT NOT NULL CHECK (plan IN ('starter', 'professional', 'enterprise')),
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- A member and an owner belong to one tenant, the others to none.
  CREATE TABLE users (
    id TEXT PRIMARY KEY, role TEXT NOT NULL CHECK (role IN ('user', 'member', 'owner', 'admin')),
    tenant_id TEXT REFERENCES tenants (id), created_at INTEGER NOT NULL,
    CHECK ((role IN ('member', 'owner')) = (tenant_id IS NOT NULL))
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE tokens (
    prefix TEXT PRIMARY KEY, hash TEXT NOT NULL, user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL, expires_at INTEGER, revoked_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX tokens_of_user ON tokens (user_id);

  CREATE TABLE overrides (
    tenant_id TEXT NOT NULL REFERENCES tenants (id) ON DELETE CASCADE, tool TEXT NOT NULL,
    is_enabled INTEGER NOT NULL CHECK (is_enabled IN (0, 1)), set_by TEXT NOT NULL, set_at INTEGER NOT NULL,
    reason TEXT NOT NULL, PRIMARY KEY (tenant_id, tool)
  ) STRICT, WITHOUT ROWID;

  -- 'detail' is JSON, without secrets.
  CREATE TABLE audit (
    id INTEGER PRIMARY KEY, at INTEGER NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL, tenant_id TEXT,
    detail TEXT NOT NULL
  ) STRICT;

  CREATE TABLE gate_revision (revision INTEGER NOT NULL) STRICT;
  INSERT INTO gate_revision VALUES (1);
  ${TRIGGERS.join('\n')}
  `,
};
