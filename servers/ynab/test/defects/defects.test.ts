import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { connectInMemory } from 'toolwright';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { CHECKING, HOUSEHOLD, startProxied } from '../support/proxied-stack.ts';
import { addTransactions, createAccount, readReconciled } from '../support/statements.ts';
import { connectV1, connectV2 } from '../support/stack.ts';

/** Requirements that earlier budget servers did not meet. */

const exports = mkdtempSync(join(tmpdir(), 'exports-'));
const environment = { YNAB_EXPORT_PATH: exports, YNAB_IMPORT_PATH: exports };
const stack = await startProxied({ environment });
const previewing = await startProxied({ environment: { YNAB_MCP_WRITE_MODE: 'preview' } });
afterAll(async () => {
  await stack.close();
  await previewing.close();
  rmSync(exports, { recursive: true });
});
beforeEach(async () => {
  stack.clock.advance(10_000);
  await stack.call('clear_cache');
  stack.proxy.takeRoutes();
});

test('1. official clients that have listed the tools accept their results', async () => {
  for (const client of [await connectV1(stack.server), await connectV2(stack.server)]) {
    await client.listTools();
    const result = await client.callTool({
      name: 'convert_amount',
      arguments: { amount: 1.5, to_milliunits: true },
    });
    expect(result.content).toEqual([{ type: 'text', text: '1500 milliunits' }]);
    await client.close();
  }
});

test('2. every failed call sets isError, and an unknown tool is an error of the protocol', async () => {
  expect(await stack.outcome('get_account', {})).toMatchObject({ isError: true, code: 'INVALID_ARGUMENTS' });
  expect(await stack.outcome('get_account', { account_id: 'x' })).toMatchObject({ isError: true });
  stack.proxy.fail('GET /user', { respond: 429, body: '' });
  expect(await stack.outcome('get_user')).toMatchObject({ isError: true, code: 'UPSTREAM_LIMITED' });
  const client = await connectV2(stack.server);
  await expect(client.callTool({ name: 'no_such_tool' })).rejects.toMatchObject({ code: -32_602 });
  await client.close();
});

test('3. an error names the tool, not its namespace', async () => {
  expect((await stack.outcome('get_account', {})).text).toMatch(
    /^Invalid arguments for tool 'get_account'\./,
  );
});

test('4. budget_id, which the server can supply, is not advertised as required', () => {
  const tools = stack.server.tools?.listTools() ?? [];
  const required = tools.filter(({ inputSchema }) =>
    JSON.stringify(inputSchema['required'] ?? []).includes('budget_id'),
  );
  expect(required.map(({ name }) => name)).toEqual(['set_default_budget']);
});

test('5. tools/list has no output schemas, and less than 45 KB', () => {
  const tools = stack.server.tools?.listTools() ?? [];
  expect(tools).toHaveLength(37);
  expect(tools.filter((tool) => 'outputSchema' in tool)).toEqual([]);
  expect(JSON.stringify(tools).length).toBeLessThan(45_000);
});

test('6. an unknown resource and a prompt without its required arguments are errors of the protocol', async () => {
  const client = await connectV2(stack.server);
  await expect(client.readResource({ uri: 'ynab://nothing' })).rejects.toMatchObject({ code: -32_602 });
  await expect(
    client.getPrompt({ name: 'reconcile-account', arguments: { statement_balance: '1' } }),
  ).rejects.toMatchObject({ code: -32_602 });
  await client.close();
});

test('7. the server starts with the zod that a fresh install resolves', () => {
  const { version } = createRequire(import.meta.url)('zod/package.json') as { version: string };
  const [major = 0, minor = 0] = version.split('.').map(Number);
  expect([major, minor >= 6]).toEqual([4, true]);
  expect(stack.server.tools?.listTools().length).toBeGreaterThan(0);
});

test('8. the limit counts requests to the API, not calls of tools; looking at it changes nothing', async () => {
  const remaining = async (): Promise<number> =>
    (await stack.json<{ security: { requests_remaining: number } }>('diagnostic_info')).security
      .requests_remaining;
  const before = await remaining();
  expect(await remaining()).toBe(before);
  await stack.call('convert_amount', { amount: 1, to_milliunits: true });
  expect(await remaining()).toBe(before);
  const csv_data = 'Date,Description,Amount\n2026-11-05,Nothing,-1.00\n';
  await stack.call('reconcile_account', { account_id: CHECKING, csv_data, statement_balance: 0 });
  expect(stack.proxy.takeRoutes()).toHaveLength(3);
  expect(await remaining()).toBe(before - 3);
});

test('9. no error promises a retry; reads are retried, and every request has a deadline', async () => {
  stack.proxy.fail('GET /user', 'lose');
  expect(await stack.outcome('get_user')).toMatchObject({ isError: false });
  expect(stack.proxy.takeRoutes()).toEqual(['GET /user', 'GET /user']);
  await stack.call('clear_cache');
  stack.proxy.fail('GET /user', { hang: () => stack.clock.advance(10_000) });
  const late = await stack.outcome('get_user');
  expect(late).toMatchObject({ isError: true, code: 'TIMED_OUT' });
  stack.proxy.fail('GET /user', { respond: 429, body: '' });
  const limited = await stack.outcome('get_user');
  expect(`${late.text} ${limited.text}`).not.toMatch(/retry|automatic/i);
});

test('10. an error is classified by its status, not by digits in its text', async () => {
  const body = JSON.stringify({ error: { id: '400', name: 'bad_request', detail: 'not 401, 404 or 429' } });
  stack.proxy.fail('GET /user', { respond: 400, body });
  expect((await stack.outcome('get_user')).text).toMatch(
    /^The budget API rejected the request\. \(400 bad_request: /,
  );
});

test('11. fresh data causes no request although deltas are on, and a whole load ignores fresh data', async () => {
  const list = (): Promise<string> => stack.call('list_transactions', { since_date: '2026-11-01' });
  await list();
  stack.proxy.takeRoutes();
  await list();
  expect(stack.proxy.takeRoutes()).toEqual([]);
  const csv_data = 'Date,Description,Amount\n2026-11-05,Nothing,-1.00\n';
  await stack.call('reconcile_account', { account_id: CHECKING, csv_data, statement_balance: 0 });
  const request = stack.proxy.seen.find(({ route }) => route.endsWith('/transactions'));
  expect(request?.query).toEqual({ since_date: '2026-01-01' });
});

test('12. the order of words and of rows does not matter, and each transaction is used once', async () => {
  const account = await createAccount(stack);
  await addTransactions(stack, account, [
    ['2026-11-05', -9, 'Corner Bakery'],
    ['2026-11-06', -9, 'Green Grocer'],
  ]);
  const rows = ['2026-11-05,BAKERY CORNER,-9.00', '2026-11-06,GROCER GREEN,-9.00', '2026-11-07,Other,-9.00'];
  const pairs = async (lines: readonly string[]): Promise<unknown> => {
    const csv_data = `Date,Description,Amount\n${lines.join('\n')}\n`;
    const outcome = await stack.outcome('reconcile_account', {
      account_id: account,
      csv_data,
      statement_balance: 0,
    });
    const { matches, suggestions } = readReconciled(outcome) as unknown as Record<
      'matches' | 'suggestions',
      readonly { description: string; payee_name: string }[]
    >;
    return [...matches, ...suggestions].map(
      ({ description, payee_name: payee }) => `${description} = ${payee}`,
    );
  };
  expect(await pairs(rows)).toEqual(['BAKERY CORNER = Corner Bakery', 'GROCER GREEN = Green Grocer']);
  expect(await pairs(rows.toReversed())).toEqual(await pairs(rows));
});

describe('13.', () => {
  test('the format of a statement is detected unless csv_format is given', async () => {
    const csv_data = 'Buchungstag;Verwendungszweck;Betrag\n05.11.2026;Miete;-1.234,50\n';
    const outcome = await stack.outcome('reconcile_account', {
      account_id: CHECKING,
      csv_data,
      statement_balance: 0,
    });
    expect(readReconciled(outcome)).toMatchObject({
      summary: { statement_start: '2026-11-05' },
      unmatched_bank: [{ date: '2026-11-05', amount: -1234.5, description: 'Miete' }],
    });
  });

  test('no file outside of the import folder is read', async () => {
    for (const path of ['/etc/hostname', '../../etc/hostname']) {
      const args = { account_id: CHECKING, csv_file_path: path, statement_balance: 0 };
      expect(await stack.outcome('reconcile_account', args)).toMatchObject({
        isError: true,
        code: 'INVALID_ARGUMENTS',
      });
    }
  });
});

describe('14.', () => {
  test('export_transactions, which writes a file, is not annotated as read-only', () => {
    expect(stack.server.tools?.findTool('export_transactions')?.annotations).toMatchObject({
      readOnlyHint: false,
    });
  });

  test('an export stays in its folder, and has amounts in currency units', async () => {
    const escaping = await stack.outcome('export_transactions', { filename: '../escaped.json' });
    expect(escaping).toMatchObject({ isError: true, code: 'INVALID_ARGUMENTS' });
    await stack.call('export_transactions', { filename: 'all.json', since_date: '2026-11-01' });
    expect(readdirSync(exports)).toEqual(['all.json']);
    const { transactions } = JSON.parse(readFileSync(join(exports, 'all.json'), 'utf8')) as {
      transactions: { payee_name: string; amount: number; amount_milliunits: number }[];
    };
    const rent = transactions.find(({ payee_name: payee }) => payee === 'Maple Street Apartments');
    expect(rent).toMatchObject({ amount: -1650, amount_milliunits: -1_650_000 });
  });
});

describe('15.', () => {
  test('two servers in one process share neither cache, limits nor settings', async () => {
    await stack.call('list_budgets');
    previewing.proxy.takeRoutes();
    await previewing.call('clear_cache');
    await previewing.call('list_budgets');
    expect(previewing.proxy.takeRoutes()).toEqual(['GET /plans']);
    await stack.call('set_output_format', { default_minify: false, pretty_spaces: 4 });
    expect(await previewing.call('list_budgets', { response_format: 'json' })).toMatch(/^\{"budgets":/);
    await stack.call('set_output_format', { default_minify: true });
  });

  test('listChanged is declared, and sent when the tools change', async () => {
    const client = await connectV1(previewing.server);
    expect(client.getServerCapabilities()?.tools).toEqual({ listChanged: true });
    const changed = new Promise<void>((resolve) => {
      client.fallbackNotificationHandler = async ({ method }) => {
        if (method === 'notifications/tools/list_changed') resolve();
      };
    });
    previewing.server.announceChange('tools');
    await changed;
    await client.close();
  });
});

test('16. if the client can ask the user, the user decides, and the model gets no confirmation token', async () => {
  const client = new Client(
    { name: 'asking', version: '1.0.0' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: 'auto' } },
  );
  const asked: string[] = [];
  client.setRequestHandler('elicitation/create', ({ params }) => {
    asked.push(params.message);
    return { action: 'decline' };
  });
  await client.connect(connectInMemory(previewing.server));
  previewing.proxy.takeRoutes();
  const result = await client.callTool({
    name: 'create_account',
    arguments: { budget_id: HOUSEHOLD, name: 'Unwanted', type: 'cash' },
  });
  expect(asked).toHaveLength(1);
  expect(result).toMatchObject({ isError: true });
  expect(JSON.stringify(result)).not.toContain('confirmation_token');
  expect(previewing.proxy.takeRoutes()).not.toContain('POST /plans/{id}/accounts');
  await client.close();
});
