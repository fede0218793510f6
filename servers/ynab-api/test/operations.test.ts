import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { load } from 'js-yaml';
import { fromOpenAPI } from 'toolwright/openapi';
import type * as ynab from 'ynab';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveBudgetApi } from '../src/index.ts';
import type { ServedBudgetApi } from '../src/index.ts';
import { TODAY } from './support/open-api.ts';

const file = new URL('../openapi.yaml', import.meta.url);

interface Document {
  readonly paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>;
}

// The document is the copy in this folder.
const document = load(readFileSync(file, 'utf8')) as Document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId, responses }]) => ({
    path,
    method,
    operationId,
    responses,
  })),
);

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
// OpenAPI 3.1 has no keyword `nullable`, but the document still contains it, and Ajv would reject it.
const schemas = JSON.parse(JSON.stringify(document), (key, value: unknown) =>
  key === 'nullable' ? undefined : value,
) as Document;
ajv.addSchema(schemas, 'document');

const escape = (segment: string): string => segment.replaceAll('~', '~0').replaceAll('/', '~1');

/** The differences between a response and the schema of the document. */
function validate(operationId: string, status: number, body: unknown): unknown {
  const operation = operations.find((entry) => entry.operationId === operationId);
  if (operation?.responses[status] === undefined)
    return `${operationId} does not document the status ${status}`;
  const pointer = [
    'paths',
    operation.path,
    operation.method,
    'responses',
    String(status),
    'content',
    'application/json',
    'schema',
  ];
  const check = ajv.getSchema(
    `document#/${pointer.map((part) => encodeURIComponent(escape(part))).join('/')}`,
  );
  if (check === undefined) return `${operationId} has no schema`;
  return check(body) ? null : check.errors;
}

let served: ServedBudgetApi;
let imported: Awaited<ReturnType<typeof fromOpenAPI>>;
const called = new Set<string>();

beforeAll(async () => {
  served = await serveBudgetApi({ file: ':memory:', tokens: ['token'], today: TODAY });
  imported = await fromOpenAPI(readFileSync(file, 'utf8'), {
    baseUrl: served.url,
    credentials: { bearer: 'token' },
    outbound: { allowPrivate: ['127.0.0.1'] },
  });
});
afterAll(async () => {
  imported.close();
  await served.close();
});

/** Calls an operation through the import, and compares the response with the document. */
async function call<T>(operationId: string, args: object, status = 200): Promise<T> {
  const reply = await imported.call<{ data: T }>(operationId, { ...args });
  expect({
    operationId,
    status: reply.status,
    problems: validate(operationId, reply.status, reply.body),
  }).toEqual({
    operationId,
    status,
    problems: null,
  });
  called.add(operationId);
  return reply.body.data;
}

test('all 44 operations of the document respond as it says', { timeout: 60_000 }, async () => {
  expect(operations).toHaveLength(44);
  await call('getUser', {});
  const { plans } = await call<ynab.PlanSummaryResponseData>('getPlans', { include_accounts: true });
  const plan_id = plans[0]?.id ?? '';
  const at = { plan_id };
  await call('getPlanById', at);
  await call('getPlanSettingsById', at);
  const account = { name: 'Second Card', type: 'creditCard', balance: -50_000 };
  const { account: card } = await call<{ account: ynab.Account }>('createAccount', { ...at, account }, 201);
  const { accounts } = await call<{ accounts: ynab.Account[] }>('getAccounts', at);
  const account_id = accounts[0]?.id ?? '';
  await call('getAccountById', { ...at, account_id });

  const group = { name: 'Garden' };
  const { category_group } = await call<ynab.SaveCategoryGroupResponseData>(
    'createCategoryGroup',
    { ...at, category_group: group },
    201,
  );
  const category_group_id = category_group.id;
  await call('updateCategoryGroup', { ...at, category_group_id, category_group: { name: 'Balcony' } });
  const wanted = { name: 'Seeds and Soil', category_group_id, goal_target: 20_000 };
  const { category } = await call<ynab.SaveCategoryResponseData>(
    'createCategory',
    { ...at, category: wanted },
    201,
  );
  const category_id = category.id;
  await call('getCategories', at);
  await call('getCategoryById', { ...at, category_id });
  await call('updateCategory', { ...at, category_id, category: { note: 'In spring' } });
  await call('updateMonthCategory', {
    ...at,
    month: '2026-11-01',
    category_id,
    category: { budgeted: 25_000 },
  });
  await call('getMonthCategoryById', { ...at, month: '2026-11-01', category_id });

  const { payee } = await call<ynab.SavePayeeResponseData>(
    'createPayee',
    { ...at, payee: { name: 'Garden Centre' } },
    201,
  );
  const payee_id = payee.id;
  await call('getPayees', at);
  await call('getPayeeById', { ...at, payee_id });
  await call('updatePayee', { ...at, payee_id, payee: { name: 'Garden Center' } });
  const { payee_locations } = await call<ynab.PayeeLocationsResponseData>('getPayeeLocations', at);
  const [location] = payee_locations;
  await call('getPayeeLocationById', { ...at, payee_location_id: location?.id });
  await call('getPayeeLocationsByPayee', { ...at, payee_id: location?.payee_id });

  await call('getPlanMonths', at);
  await call('getPlanMonth', { ...at, month: '2026-11-01' });
  for (const name of ['getMoneyMovements', 'getMoneyMovementGroups']) {
    await call(name, at);
    await call(`${name}ByMonth`, { ...at, month: '2026-11-01' });
  }

  const fields = { account_id, date: TODAY, amount: -12_340, category_id, payee_name: 'Garden Center' };
  const created = await call<ynab.SaveTransactionsResponseData>(
    'createTransaction',
    { ...at, transaction: fields },
    201,
  );
  const transaction_id = created.transaction_ids[0] ?? '';
  await call(
    'createTransaction',
    {
      ...at,
      transactions: [
        { ...fields, import_id: 'a' },
        { ...fields, account_id: card.id },
      ],
    },
    201,
  );
  await call('getTransactions', at);
  await call('getTransactionById', { ...at, transaction_id });
  await call('getTransactionsByAccount', { ...at, account_id });
  await call('getTransactionsByCategory', { ...at, category_id });
  await call('getTransactionsByPayee', { ...at, payee_id });
  await call('getTransactionsByMonth', { ...at, month: '2026-10-01' });
  await call('updateTransaction', { ...at, transaction_id, transaction: { memo: 'Soil' } });
  await call(
    'updateTransactions',
    {
      ...at,
      transactions: [
        { id: transaction_id, approved: true },
        { import_id: 'a', memo: 'b' },
      ],
    },
    209,
  );
  await call('deleteTransaction', { ...at, transaction_id });
  await call('importTransactions', at, 201);
  await call('importTransactions', at, 200);

  const later = { account_id, date: '2027-01-15', amount: -9990, frequency: 'monthly', payee_id };
  const planned = await call<{ scheduled_transaction: { id: string } }>(
    'createScheduledTransaction',
    { ...at, scheduled_transaction: later },
    201,
  );
  const named = { ...at, scheduled_transaction_id: planned.scheduled_transaction.id };
  await call('getScheduledTransactions', at);
  await call('getScheduledTransactionById', named);
  await call('updateScheduledTransaction', { ...named, scheduled_transaction: { ...later, amount: -8000 } });
  await call('deleteScheduledTransaction', named);

  await call('getPlanById', { ...at, last_knowledge_of_server: 1 });
  await call('getTransactions', { ...at, last_knowledge_of_server: 1 });
  expect([...called].sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
});
