import fc from 'fast-check';
import type * as ynab from 'ynab';
import { expect, test } from 'vitest';
import { openApi } from './support/open-api.ts';
import type { OpenApi } from './support/open-api.ts';
import { recompute } from './support/recompute.ts';

type Entity = { readonly id?: string; readonly month?: string; readonly deleted?: boolean };
type Snapshot = Map<string, Map<string, unknown>>;

const PATHS = [
  '',
  '/accounts',
  '/payees',
  '/categories',
  '/months',
  '/transactions?since_date=2020-01-01',
  '/scheduled_transactions',
];

/** The lists of entities in a response, by name; groups give their categories as a list as well. */
function toLists(data: Record<string, unknown>): [string, Entity[]][] {
  return Object.entries(data).flatMap(([name, value]): [string, Entity[]][] => {
    if (name === 'plan')
      return toLists(value as Record<string, unknown>).map(([list, rows]) => [`plan.${list}`, rows]);
    if (!Array.isArray(value)) return [];
    const rows = value as (Entity & { categories?: Entity[] })[];
    if (name !== 'category_groups') return [[name, rows]];
    return [
      ['groups', rows.map(({ categories: _categories, ...group }) => group)],
      ['categories', rows.flatMap(({ categories = [] }) => categories)],
    ];
  });
}

/** Applies responses to a snapshot: entities replace those with the same id, deleted ones leave. */
async function apply(open: OpenApi, snapshot: Snapshot, since?: number): Promise<number> {
  let knowledge = 0;
  for (const path of PATHS) {
    const query =
      since === undefined ? '' : `${path.includes('?') ? '&' : '?'}last_knowledge_of_server=${since}`;
    const { data } = await open.ok<{ data: Record<string, unknown> }>(`GET /plans/default${path}${query}`);
    knowledge = Number(data['server_knowledge']);
    for (const [name, rows] of toLists(data)) {
      const key = `${path} ${name}`;
      const entities = snapshot.get(key) ?? new Map<string, unknown>();
      snapshot.set(key, entities);
      for (const row of rows) {
        const id = row.id ?? row.month ?? '';
        if (row.deleted) entities.delete(id);
        else entities.set(id, row);
      }
    }
  }
  return knowledge;
}

const sorted = (snapshot: Snapshot): unknown =>
  Object.fromEntries(
    [...snapshot].map(([name, rows]) => [
      name,
      Object.fromEntries([...rows].sort(([a], [b]) => (a < b ? -1 : 1))),
    ]),
  );

async function assertConsistent(open: OpenApi): Promise<void> {
  const { plan } = (await open.ok<ynab.PlanDetailResponse>('GET /plans/default')).data;
  const expected = recompute(plan);
  for (const account of plan.accounts ?? [])
    expect([account.name, account.balance, account.cleared_balance]).toEqual([
      account.name,
      expected.balances.get(account.id),
      expected.cleared.get(account.id),
    ]);
  for (const { month, to_be_budgeted, categories } of plan.months ?? []) {
    expect([month, to_be_budgeted]).toEqual([month, expected.ready.get(month)]);
    for (const { id, name, activity, balance } of categories) {
      const key = `${month} ${id}`;
      const wanted = name === 'Inflow: Ready to Assign' ? to_be_budgeted : expected.available.get(key);
      expect([month, name, activity, balance]).toEqual([
        month,
        name,
        expected.activity.get(key) ?? 0,
        wanted,
      ]);
    }
  }
  const cash = (plan.accounts ?? []).filter(({ on_budget, type }) => on_budget && type !== 'creditCard');
  const current = plan.months?.[0]?.categories ?? [];
  const total = (rows: readonly { balance: number }[]): number =>
    rows.reduce((sum, { balance }) => sum + balance, 0);
  expect(total(current)).toBe(total(cash));
}

/** A random request: numbers choose the operation and its targets. */
const step = fc.record({
  kind: fc.constantFrom(
    'create',
    'create',
    'transfer',
    'split',
    'update',
    'update',
    'delete',
    'assign',
    'account',
    'rename',
    'scheduled',
    'import',
    'day',
  ),
  a: fc.nat(1_000_000),
  b: fc.nat(1_000_000),
  amount: fc.integer({ min: -50_000, max: 50_000 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const pick = <T>(rows: readonly T[], index: number): T => {
  const row = rows[index % rows.length];
  if (row === undefined) throw new Error('There is nothing to pick from.');
  return row;
};

function toRequest(plan: ynab.PlanDetail, { kind, a, b, amount }: Step): [string, object?] {
  const account = pick(plan.accounts ?? [], a);
  const category_id = b % 5 === 0 ? null : pick(plan.categories ?? [], b).id;
  const date = `2026-${String(6 + (b % 5)).padStart(2, '0')}-${String(1 + (a % 28)).padStart(2, '0')}`;
  const fields = {
    account_id: account.id,
    date,
    amount,
    category_id,
    cleared: pick(['cleared', 'uncleared', 'reconciled'], a),
  };
  const payee_id = pick(plan.accounts ?? [], b).transfer_payee_id;
  const parts = [
    { amount: amount - 1000, category_id },
    { amount: 1000, payee_id },
  ];
  const at = '/plans/default';
  const transaction = pick(plan.transactions ?? [], a * 7 + b);
  switch (kind) {
    case 'create':
      return [
        `POST ${at}/transactions`,
        { transactions: [fields, { ...fields, payee_name: `Payee ${a % 9}` }] },
      ];
    case 'transfer':
      return [`POST ${at}/transactions`, { transaction: { ...fields, payee_id } }];
    case 'split':
      return [`POST ${at}/transactions`, { transaction: { ...fields, subtransactions: parts } }];
    case 'update':
      return [
        `PUT ${at}/transactions/${transaction.id}`,
        {
          transaction: {
            ...fields,
            ...(a % 3 === 0 && { payee_id }),
            ...(a % 4 === 0 && { subtransactions: parts }),
          },
        },
      ];
    case 'delete':
      return [`DELETE ${at}/transactions/${transaction.id}`];
    case 'assign':
      return [`PATCH ${at}/months/${date}/categories/${category_id}`, { category: { budgeted: amount } }];
    case 'account':
      return [
        `POST ${at}/accounts`,
        {
          account: {
            name: `Account ${a} ${b}`,
            type: pick(['checking', 'creditCard', 'otherAsset'], a),
            balance: amount,
          },
        },
      ];
    case 'rename':
      return pick(
        [
          [`PATCH ${at}/payees/${pick(plan.payees ?? [], b).id}`, { payee: { name: `Renamed ${a}` } }],
          [`PATCH ${at}/categories/${category_id}`, { category: { name: `Renamed ${a}`, goal_target: b } }],
          [
            `PATCH ${at}/category_groups/${pick(plan.category_groups ?? [], b).id}`,
            { category_group: { name: `Group ${a}` } },
          ],
        ],
        a,
      );
    case 'scheduled':
      return [
        `POST ${at}/scheduled_transactions`,
        { scheduled_transaction: { ...fields, date: '2026-11-25', frequency: 'weekly' } },
      ];
    case 'import':
      return [`POST ${at}/transactions/import`];
    case 'day':
      return [`GET ${at}/months`];
  }
}

test(
  'after random changes all amounts equal a recomputation, and deltas bring an old snapshot up to date',
  { timeout: 300_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 25 }), async (steps) => {
        const open = openApi();
        const snapshot: Snapshot = new Map();
        let knowledge = await apply(open, snapshot);
        let succeeded = 0;
        let plan: ynab.PlanDetail = { id: '', name: '' };
        for (const [index, entry] of steps.entries()) {
          if (entry.kind === 'day') open.clock.advance(86_400_000 * (1 + (entry.a % 6)));
          if (index % 5 === 0)
            plan = (await open.ok<ynab.PlanDetailResponse>('GET /plans/default')).data.plan;
          const { status } = await open.send(...toRequest(plan, entry));
          expect([entry.kind, status < 500]).toEqual([entry.kind, true]);
          if (status < 300) succeeded += 1;
          if (index === 9) knowledge = await apply(open, snapshot, knowledge);
        }
        expect(succeeded).toBeGreaterThan(steps.length / 2);
        await apply(open, snapshot, knowledge);
        await assertConsistent(open);
        const full: Snapshot = new Map();
        await apply(open, full);
        expect(sorted(snapshot)).toEqual(sorted(full));
        open.api.close();
      }),
      // Shrinking would repeat runs of several seconds.
      { numRuns: 4, endOnFailure: true },
    );
  },
);

test('server_knowledge grows with every change, and not with reads', async () => {
  const open = openApi();
  const read = async (): Promise<number> =>
    (await open.ok<ynab.PayeesResponse>('GET /plans/default/payees')).data.server_knowledge;
  expect([await read(), await read()]).toEqual([1, 1]);
  await open.ok('POST /plans/default/payees', { payee: { name: 'One' } });
  expect(await read()).toBe(2);
  await open.rejected('POST /plans/default/payees', { payee: { name: 'One' } });
  expect(await read()).toBe(2);
  open.api.close();
});
