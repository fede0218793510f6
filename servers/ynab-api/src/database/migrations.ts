/**
 * The changes of the file's structure. The position in this list is the version of the file: append, never edit.
 *
 * `knowledge` is the plan's `server_knowledge` at the last change of a row. Columns marked as derived are written only by
 * `months/settle.ts`, which computes them from the transactions and assigned amounts.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE users (
    id TEXT PRIMARY KEY, token_digest TEXT NOT NULL UNIQUE, default_plan_id TEXT, last_plan_id TEXT
  ) STRICT;

  CREATE TABLE plans (
    id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users (id), name TEXT NOT NULL,
    date_format TEXT NOT NULL, currency_format TEXT NOT NULL,
    knowledge INTEGER NOT NULL, modified_at TEXT NOT NULL,
    settled_on TEXT NOT NULL -- the date up to which scheduled transactions are entered and months exist
  ) STRICT;
  CREATE INDEX plans_of_user ON plans (user_id);

  CREATE TABLE accounts (
    id TEXT PRIMARY KEY, plan_id TEXT NOT NULL REFERENCES plans (id), name TEXT NOT NULL, type TEXT NOT NULL,
    on_budget INTEGER NOT NULL, closed INTEGER NOT NULL DEFAULT 0, note TEXT,
    transfer_payee_id TEXT NOT NULL, direct_import_linked INTEGER NOT NULL DEFAULT 0, last_reconciled_at TEXT,
    balance INTEGER NOT NULL DEFAULT 0, -- derived
    cleared_balance INTEGER NOT NULL DEFAULT 0, -- derived
    knowledge INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX accounts_of_plan ON accounts (plan_id);

  CREATE TABLE payees (
    id TEXT PRIMARY KEY, plan_id TEXT NOT NULL REFERENCES plans (id), name TEXT NOT NULL,
    transfer_account_id TEXT, knowledge INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX payees_by_name ON payees (plan_id, name COLLATE NOCASE);

  CREATE TABLE payee_locations (
    id TEXT PRIMARY KEY, plan_id TEXT NOT NULL REFERENCES plans (id), payee_id TEXT NOT NULL REFERENCES payees (id),
    latitude TEXT NOT NULL, longitude TEXT NOT NULL, knowledge INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE category_groups (
    id TEXT PRIMARY KEY, plan_id TEXT NOT NULL REFERENCES plans (id), name TEXT NOT NULL,
    hidden INTEGER NOT NULL DEFAULT 0, internal INTEGER NOT NULL DEFAULT 0,
    payments INTEGER NOT NULL DEFAULT 0, -- the group of the payment categories of credit cards
    knowledge INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE categories (
    id TEXT PRIMARY KEY, plan_id TEXT NOT NULL REFERENCES plans (id),
    category_group_id TEXT NOT NULL REFERENCES category_groups (id), name TEXT NOT NULL,
    role TEXT NOT NULL, -- ordinary, inflow, uncategorized, payment
    payment_account_id TEXT REFERENCES accounts (id), -- the credit card of a payment category
    hidden INTEGER NOT NULL DEFAULT 0, note TEXT,
    goal_type TEXT, goal_target INTEGER, goal_target_date TEXT, goal_needs_whole_amount INTEGER,
    goal_cadence INTEGER, goal_cadence_frequency INTEGER, goal_day INTEGER, goal_creation_month TEXT,
    knowledge INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX categories_of_plan ON categories (plan_id);
  CREATE INDEX categories_of_card ON categories (payment_account_id) WHERE payment_account_id IS NOT NULL;

  CREATE TABLE months (
    plan_id TEXT NOT NULL REFERENCES plans (id), month TEXT NOT NULL, note TEXT,
    income INTEGER NOT NULL, budgeted INTEGER NOT NULL, activity INTEGER NOT NULL, -- derived
    to_be_budgeted INTEGER NOT NULL, age_of_money INTEGER, -- derived
    knowledge INTEGER NOT NULL, PRIMARY KEY (plan_id, month)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE month_categories (
    plan_id TEXT NOT NULL REFERENCES plans (id), month TEXT NOT NULL, category_id TEXT NOT NULL REFERENCES categories (id),
    budgeted INTEGER NOT NULL,
    activity INTEGER NOT NULL, balance INTEGER NOT NULL, -- derived
    knowledge INTEGER NOT NULL, PRIMARY KEY (plan_id, month, category_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE transactions (
    id TEXT PRIMARY KEY, plan_id TEXT NOT NULL REFERENCES plans (id), account_id TEXT NOT NULL REFERENCES accounts (id),
    date TEXT NOT NULL, amount INTEGER NOT NULL, memo TEXT, cleared TEXT NOT NULL, approved INTEGER NOT NULL,
    flag_color TEXT, payee_id TEXT REFERENCES payees (id), category_id TEXT REFERENCES categories (id),
    transfer_account_id TEXT, transfer_transaction_id TEXT,
    import_id TEXT, import_payee_name TEXT,
    split INTEGER NOT NULL DEFAULT 0, deleted INTEGER NOT NULL DEFAULT 0, knowledge INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX transactions_by_date ON transactions (plan_id, date);
  CREATE UNIQUE INDEX transactions_by_import_id ON transactions (account_id, import_id)
    WHERE import_id IS NOT NULL AND deleted = 0;

  CREATE TABLE subtransactions (
    id TEXT PRIMARY KEY, plan_id TEXT NOT NULL REFERENCES plans (id),
    transaction_id TEXT NOT NULL REFERENCES transactions (id), amount INTEGER NOT NULL, memo TEXT,
    payee_id TEXT REFERENCES payees (id), category_id TEXT REFERENCES categories (id),
    transfer_account_id TEXT, transfer_transaction_id TEXT, deleted INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX subtransactions_of_plan ON subtransactions (plan_id);
  CREATE INDEX subtransactions_of_transaction ON subtransactions (transaction_id);

  CREATE TABLE scheduled_transactions (
    id TEXT PRIMARY KEY, plan_id TEXT NOT NULL REFERENCES plans (id), account_id TEXT NOT NULL REFERENCES accounts (id),
    date_first TEXT NOT NULL, date_next TEXT NOT NULL, frequency TEXT NOT NULL, amount INTEGER NOT NULL, memo TEXT,
    flag_color TEXT, payee_id TEXT REFERENCES payees (id), category_id TEXT REFERENCES categories (id),
    transfer_account_id TEXT, deleted INTEGER NOT NULL DEFAULT 0, knowledge INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX scheduled_transactions_of_plan ON scheduled_transactions (plan_id);

  CREATE TABLE scheduled_subtransactions (
    id TEXT PRIMARY KEY, plan_id TEXT NOT NULL REFERENCES plans (id),
    scheduled_transaction_id TEXT NOT NULL REFERENCES scheduled_transactions (id), amount INTEGER NOT NULL, memo TEXT,
    payee_id TEXT REFERENCES payees (id), category_id TEXT REFERENCES categories (id), transfer_account_id TEXT,
    deleted INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE money_movement_groups (
    id TEXT PRIMARY KEY, plan_id TEXT NOT NULL REFERENCES plans (id), month TEXT NOT NULL, note TEXT,
    group_created_at TEXT NOT NULL, performed_by_user_id TEXT
  ) STRICT;

  CREATE TABLE money_movements (
    id TEXT PRIMARY KEY, plan_id TEXT NOT NULL REFERENCES plans (id), month TEXT NOT NULL, moved_at TEXT NOT NULL,
    note TEXT, money_movement_group_id TEXT REFERENCES money_movement_groups (id), performed_by_user_id TEXT,
    from_category_id TEXT, to_category_id TEXT, amount INTEGER NOT NULL
  ) STRICT;

  -- Transactions that the banks of linked accounts offer and that are not imported yet.
  CREATE TABLE available_imports (
    id TEXT PRIMARY KEY, plan_id TEXT NOT NULL REFERENCES plans (id), account_id TEXT NOT NULL REFERENCES accounts (id),
    date TEXT NOT NULL, amount INTEGER NOT NULL, payee_name TEXT NOT NULL
  ) STRICT;
  `,
];
