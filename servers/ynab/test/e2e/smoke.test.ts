import { afterAll, expect, test } from 'vitest';
import { connectV1, connectV2, startStack } from '../support/stack.ts';

const stack = await startStack();
afterAll(() => stack.close());

interface Budgets {
  readonly budgets: readonly { readonly id: string; readonly name: string }[];
}

test('both official clients list budgets and accounts', async () => {
  const { budgets } = await stack.json<Budgets>('list_budgets');
  expect(budgets.map(({ name }) => name)).toEqual(['Household', 'Tokyo Flat']);
  for (const client of [await connectV2(stack.server), await connectV1(stack.server)]) {
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(30);
    const result = await client.callTool({ name: 'list_accounts', arguments: { budget_id: budgets[0]?.id } });
    expect(JSON.stringify(result.content)).toContain('Everyday Checking');
    await client.close();
  }
});

test('a transaction is created, changed and deleted', async () => {
  const { budgets } = await stack.json<Budgets>('list_budgets');
  const budget_id = budgets[0]?.id;
  const { accounts } = await stack.json<{ accounts: { id: string; balance_milliunits: number }[] }>(
    'list_accounts',
    { budget_id },
  );
  const [account] = accounts;
  const created = await stack.json<{ transaction: { id: string; amount: number } }>('create_transaction', {
    budget_id,
    account_id: account?.id,
    amount_decimal: -12.34,
    date: '2026-11-17',
    payee_name: 'Corner Shop',
  });
  expect(created.transaction).toMatchObject({
    amount: -12.34,
    amount_milliunits: -12_340,
    payee_name: 'Corner Shop',
  });
  const after = await stack.json<{ account: { balance_milliunits: number } }>('get_account', {
    budget_id,
    account_id: account?.id,
  });
  expect(after.account.balance_milliunits).toBe((account?.balance_milliunits ?? 0) - 12_340);
  const changed = await stack.json('update_transaction', {
    budget_id,
    transaction_id: created.transaction.id,
    memo: 'milk',
  });
  expect(changed).toMatchObject({ transaction: { memo: 'milk' } });
  expect(
    await stack.json('delete_transaction', { budget_id, transaction_id: created.transaction.id }),
  ).toMatchObject({ deleted: true });
});
