import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { CHECKING, HOUSEHOLD, startProxied } from '../support/proxied-stack.ts';
import type { ProxiedStack } from '../support/proxied-stack.ts';
import { TOKEN } from '../support/stack.ts';

const MINUTE = 60_000;
const stack = await startProxied();
afterAll(() => stack.close());
beforeEach(async () => {
  await stack.call('clear_cache');
  stack.proxy.takeRoutes();
});

interface Listed {
  readonly id: string;
  readonly memo?: string;
  readonly date: string;
  readonly amount: number;
  readonly subtransactions?: readonly { readonly memo?: string; readonly amount: number }[];
}

const list = async (since = '2026-01-01', from: ProxiedStack = stack): Promise<readonly Listed[]> =>
  (
    await from.json<{ transactions: Listed[] }>('list_transactions', {
      account_id: CHECKING,
      since_date: since,
      limit: 500,
    })
  ).transactions;

/** Changes the budget as another client of the API does: this server does not know. */
async function elsewhere(method: string, path: string, body: object): Promise<{ readonly id: string }> {
  const response = await fetch(`${stack.apiUrl}/plans/${HOUSEHOLD}/${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: method === 'DELETE' ? null : JSON.stringify(body),
  });
  const { data } = (await response.json()) as { data: { transaction: { id: string } } };
  return data.transaction;
}

const create = (fields: object): Promise<{ readonly id: string }> =>
  elsewhere('POST', 'transactions', {
    transaction: { account_id: CHECKING, date: '2026-11-15', amount: -3000, ...fields },
  });

/** After this, the list is loaded again. */
const expire = (): void => stack.clock.advance(5 * MINUTE);

/** The queries of the requests for transactions. */
const queries = (): unknown[] =>
  stack.proxy.seen
    .splice(0)
    .filter(({ route }) => route.endsWith('/transactions'))
    .map(({ query }) => query);

describe('the second load requests only changes, and applies them', () => {
  test('the request has the knowledge of the first load, and no date that hides changes', async () => {
    await list();
    expect(queries()).toEqual([{ since_date: '2026-01-01' }]);
    expire();
    await list();
    expect(queries()).toEqual([
      { since_date: '1900-01-01', last_knowledge_of_server: expect.stringMatching(/^\d+$/) as string },
    ]);
  });

  test('new and changed transactions arrive, deleted ones leave', async () => {
    const changed = await create({ memo: 'changed: before' });
    const deleted = await create({ memo: 'to be deleted' });
    await list();
    await create({ memo: 'new' });
    await elsewhere('PUT', `transactions/${changed.id}`, { transaction: { memo: 'changed: after' } });
    await elsewhere('DELETE', `transactions/${deleted.id}`, {});
    expire();
    queries();
    const memos = (await list()).map(({ memo }) => memo);
    expect(queries()).toHaveLength(1);
    expect(memos).toEqual(expect.arrayContaining(['new', 'changed: after']));
    expect(memos).not.toContain('changed: before');
    expect(memos).not.toContain('to be deleted');
  });

  test('a transaction that becomes a split arrives with its parts', async () => {
    const { id } = await create({ memo: 'whole' });
    await list();
    const parts = [
      { amount: -1000, memo: 'one' },
      { amount: -2000, memo: 'two' },
    ];
    await elsewhere('PUT', `transactions/${id}`, { transaction: { subtransactions: parts } });
    expire();
    const split = (await list()).find((each) => each.id === id);
    expect(split?.subtransactions?.map(({ memo, amount }) => [memo, amount])).toEqual([
      ['one', -1],
      ['two', -2],
    ]);
  });

  test('a transaction whose date moved out of the range leaves, and one that moved in arrives', async () => {
    const leaving = await create({ memo: 'leaving' });
    const arriving = await create({ memo: 'arriving', date: '2024-06-01' });
    await list();
    await elsewhere('PUT', `transactions/${leaving.id}`, { transaction: { date: '2024-06-01' } });
    await elsewhere('PUT', `transactions/${arriving.id}`, { transaction: { date: '2026-11-14' } });
    expire();
    const ids = (await list()).map(({ id }) => id);
    expect(ids).not.toContain(leaving.id);
    expect(ids).toContain(arriving.id);
  });
});

test('a write keeps the known list, so that the next load is a delta', async () => {
  await list();
  await stack.call('create_transaction', { account_id: CHECKING, amount_decimal: -1, date: '2026-11-17' });
  queries();
  await list();
  expect(queries()).toEqual([
    expect.objectContaining({ last_knowledge_of_server: expect.any(String) as string }),
  ]);
});

test('clear_cache drops the known lists too', async () => {
  await list();
  await stack.call('clear_cache');
  queries();
  await list();
  expect(queries()).toEqual([{ since_date: '2026-01-01' }]);
});

test('a delta that cannot be merged leads to a whole load', async () => {
  await list();
  const broken = { id: 'split', date: '2026-11-15', amount: -3000, deleted: false, account_id: CHECKING };
  const data = {
    transactions: [{ ...broken, subtransactions: [{ id: 'part', amount: -1, deleted: false }] }],
    server_knowledge: 1_000_000,
  };
  expire();
  stack.proxy.fail('GET /plans/{id}/transactions', { respond: 200, body: JSON.stringify({ data }) });
  queries();
  expect((await list()).map(({ id }) => id)).not.toContain('split');
  expect(queries()).toHaveLength(2);
});

test('reconcile_account loads whole, even if a fresh list is cached', async () => {
  await list('2026-10-02');
  await create({ memo: 'known only to the API', amount: -98_760, payee_name: 'Sofa Shop' });
  queries();
  const outcome = await stack.outcome('reconcile_account', {
    account_id: CHECKING,
    csv_data: 'Date,Description,Amount\n2026-11-15,Sofa Shop,-98.76\n',
    statement_balance: 0,
  });
  expect(outcome.text).toContain('- **Matched**: 1');
  expect(queries()).toEqual([{ since_date: '2026-01-01' }]);
});

test('the first load of a month is whole: the amounts of categories are those of the month, whatever the knowledge', async () => {
  const monthly = await startProxied();
  await monthly.call('list_categories');
  // Used at least once a day, so that the known list never expires.
  for (let day = 0; day < 14; day += 1) {
    monthly.clock.advance(23 * 60 * MINUTE);
    await monthly.call('list_categories');
  }
  const requests = monthly.proxy.seen.filter(({ route }) => route.endsWith('/categories'));
  const isDelta = requests.map(({ query }) => 'last_knowledge_of_server' in query);
  // From the 18th of November at noon to the 1st of December at 22:00.
  expect(isDelta).toEqual([false, ...Array<boolean>(13).fill(true), false]);
  await monthly.close();
});

test('with YNAB_MCP_ENABLE_DELTA=false, every load is whole', async () => {
  const whole = await startProxied({ environment: { YNAB_MCP_ENABLE_DELTA: 'false' } });
  await list('2026-01-01', whole);
  whole.clock.advance(5 * MINUTE);
  await list('2026-01-01', whole);
  const requests = whole.proxy.seen.filter(({ route }) => route.endsWith('/transactions'));
  expect(requests.map(({ query }) => query)).toEqual([
    { since_date: '2026-01-01' },
    { since_date: '2026-01-01' },
  ]);
  const { delta } = await whole.json<{ delta: object }>('diagnostic_info');
  expect(delta).toEqual({ enabled: false, full: 4, delta: 0, reloaded: 0 });
  await whole.close();
});
