/** Triggers that count the rows of a table: counting them for each new row would take longer with every row. Rows are never updated. */
function counted(table: string, bytes: string): string {
  const change = (row: 'NEW' | 'OLD', sign: '+' | '-'): string =>
    `UPDATE toolwright_sizes SET entries = entries ${sign} 1, bytes = bytes ${sign} (${bytes.replaceAll('row.', `${row}.`)}) WHERE name = '${table}';`;
  return `
    INSERT INTO toolwright_sizes VALUES ('${table}', 0, 0);
    CREATE TRIGGER ${table}_counted AFTER INSERT ON ${table} BEGIN ${change('NEW', '+')} END;
    CREATE TRIGGER ${table}_uncounted AFTER DELETE ON ${table} BEGIN ${change('OLD', '-')} END;`;
}

/** The same, also for each owner, and for rows that are updated. `when`: the rows that count for their owner. */
function shared(
  table: string,
  { bytes, when = 'true' }: { readonly bytes: string; readonly when?: string },
): string {
  const change = (row: 'NEW' | 'OLD', sign: '+' | '-'): string => {
    const of = (sql: string): string => sql.replaceAll('row.', `${row}.`);
    return `
      INSERT INTO toolwright_shares (name, owner, entries, bytes)
        SELECT '${table}', ${row}.owner, ${sign}1, ${sign}(${of(bytes)}) WHERE ${of(when)}
        ON CONFLICT (name, owner) DO UPDATE SET entries = entries + excluded.entries, bytes = bytes + excluded.bytes;
      DELETE FROM toolwright_shares WHERE name = '${table}' AND owner = ${row}.owner AND entries = 0;`;
  };
  const total = `UPDATE toolwright_sizes SET bytes = bytes + (${bytes.replaceAll('row.', 'NEW.')}) - (${bytes.replaceAll('row.', 'OLD.')}) WHERE name = '${table}';`;
  return `${counted(table, bytes)}
    CREATE TRIGGER ${table}_shared AFTER INSERT ON ${table} BEGIN ${change('NEW', '+')} END;
    CREATE TRIGGER ${table}_unshared AFTER DELETE ON ${table} BEGIN ${change('OLD', '-')} END;
    CREATE TRIGGER ${table}_changed AFTER UPDATE ON ${table} BEGIN ${total} ${change('NEW', '+')} ${change('OLD', '-')} END;`;
}

const FIRST = `
  CREATE TABLE toolwright_sizes (
    name TEXT PRIMARY KEY,
    entries INTEGER NOT NULL,
    bytes INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE toolwright_shares (
    name TEXT NOT NULL,
    owner TEXT NOT NULL,
    entries INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    PRIMARY KEY (name, owner)
  ) WITHOUT ROWID;
  CREATE INDEX toolwright_shares_entries ON toolwright_shares (name, entries);
  CREATE INDEX toolwright_shares_bytes ON toolwright_shares (name, bytes);

  CREATE TABLE toolwright_state (
    owner TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    UNIQUE (owner, key)
  );
  CREATE INDEX toolwright_state_expiry ON toolwright_state (expires_at);
  ${shared('toolwright_state', { bytes: 'row.bytes' })}

  CREATE TABLE toolwright_confirmations (
    token TEXT PRIMARY KEY,
    binding TEXT NOT NULL,
    owner TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  );
  CREATE INDEX toolwright_confirmations_expiry ON toolwright_confirmations (expires_at);
  CREATE INDEX toolwright_confirmations_owner ON toolwright_confirmations (owner);
  ${shared('toolwright_confirmations', { bytes: '0' })}

  CREATE TABLE toolwright_rates (
    key TEXT PRIMARY KEY,
    ends_at INTEGER NOT NULL,
    count INTEGER NOT NULL,
    is_blocked INTEGER NOT NULL
  );
  CREATE INDEX toolwright_rates_end ON toolwright_rates (is_blocked, ends_at);
  ${counted('toolwright_rates', '0')}

  CREATE TABLE toolwright_tasks (
    task_id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    record TEXT NOT NULL,
    result TEXT,
    bytes INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    ended_at INTEGER,
    expires_at INTEGER,
    process TEXT,
    alive_until INTEGER
  );
  CREATE INDEX toolwright_tasks_ended ON toolwright_tasks (owner, ended_at) WHERE ended_at IS NOT NULL;
  CREATE INDEX toolwright_tasks_expiry ON toolwright_tasks (expires_at) WHERE expires_at IS NOT NULL;
  CREATE INDEX toolwright_tasks_alive ON toolwright_tasks (process) WHERE process IS NOT NULL;
  ${shared('toolwright_tasks', { bytes: 'row.bytes', when: 'row.ended_at IS NOT NULL' })}

  CREATE TABLE toolwright_cache (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  );
  CREATE INDEX toolwright_cache_expiry ON toolwright_cache (expires_at);
  ${counted('toolwright_cache', 'row.bytes')}
`;

/** The position in this list is the version of the file: append, never edit. */
export const MIGRATIONS: readonly string[] = [FIRST];
