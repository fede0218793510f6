import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { callJson, callTool, connectHttp, connectStdio, VERSIONS } from '../support/clients.ts';
import type { OfficialClient } from '../support/clients.ts';
import { GOOD_CALLS } from '../support/good-calls.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'budget-process-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
if (!existsSync(MAIN)) throw new Error('servers/ynab/dist is missing: run `npm run build` first');

const json = { response_format: 'json' };

interface Ids {
  readonly account_id: string;
  readonly category_id: string;
  readonly payee_id: string;
  readonly transaction_id: string;
  readonly scheduled_transaction_id: string;
  readonly today: string;
  readonly tomorrow: string;
}

/** The first id of each kind: the sample data of a process depend on the day. */
async function findIds(client: OfficialClient): Promise<Ids> {
  const first = async (kind: string): Promise<string> => {
    const page = await callJson<Record<string, { id: string }[]>>(client, `list_${kind}`, {
      limit: 1,
      ...json,
    });
    return page[kind]?.[0]?.id ?? '';
  };
  const day = (offset: number): string =>
    new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  return {
    account_id: await first('accounts'),
    category_id: await first('categories'),
    payee_id: await first('payees'),
    transaction_id: await first('transactions'),
    scheduled_transaction_id: await first('scheduled_transactions'),
    today: day(0),
    tomorrow: day(2),
  };
}

/** A good call of each tool, and the members of its result. */
function toCalls(ids: Ids): Readonly<Record<string, readonly [args: object, members: string]>> {
  const { account_id, category_id, payee_id, transaction_id, scheduled_transaction_id } = ids;
  const dated = { account_id, date: ids.today, amount_decimal: -1 };
  const period = { since_date: ids.today, until_date: ids.today };
  const counts = 'total_count returned_count has_more next_offset cached';
  const planned = 'dry_run summary would_send';
  const dry = { dry_run: true };
  return {
    list_budgets: [json, 'budgets'],
    get_budget: [json, 'budget'],
    get_default_budget: [json, 'default_budget_id source'],
    set_default_budget: [{ budget_id: 'default' }, 'default_budget_id name'],
    list_accounts: [{ limit: 1, ...json }, `accounts ${counts}`],
    get_account: [{ account_id, ...json }, 'account'],
    list_transactions: [{ limit: 1, ...json }, `transactions ${counts}`],
    get_transaction: [{ transaction_id, ...json }, 'transaction'],
    list_categories: [{ limit: 1, ...json }, `categories ${counts}`],
    get_category: [{ category_id, ...json }, 'category'],
    list_payees: [{ limit: 1, ...json }, `payees ${counts}`],
    get_payee: [{ payee_id, ...json }, 'payee'],
    list_months: [{ limit: 1, ...json }, `months ${counts}`],
    get_month: [{ month: `${ids.today.slice(0, 8)}01`, ...json }, 'month'],
    list_scheduled_transactions: [{ limit: 1, ...json }, `scheduled_transactions ${counts}`],
    get_scheduled_transaction: [{ scheduled_transaction_id, ...json }, 'scheduled_transaction'],
    analyze_spending: [
      { ...period, group_by: 'week', ...json },
      'since_date until_date group_by include_transfers income income_milliunits spending spending_milliunits net net_milliunits count groups',
    ],
    compare_spending_periods: [
      { period_a: period, period_b: period, group_by: 'month', ...json },
      'period_a period_b difference groups',
    ],
    get_user: [json, 'user'],
    convert_amount: [{ amount: 1, to_milliunits: true, ...json }, 'amount converted unit'],
    clear_cache: [{}, 'cleared'],
    set_output_format: [{}, 'default_minify pretty_spaces'],
    diagnostic_info: [json, 'server memory environment security cache delta'],
    export_transactions: [{ filename: 'x.json' }, 'path count preview'],
    create_account: [{ name: 'Holiday', type: 'savings', ...dry }, planned],
    create_transaction: [{ ...dated, ...dry }, planned],
    create_transactions: [{ transactions: [dated], ...dry }, planned],
    update_transaction: [{ transaction_id, memo: 'x', ...dry }, planned],
    update_transactions: [{ transactions: [{ id: transaction_id, memo: 'x' }], ...dry }, planned],
    delete_transaction: [{ transaction_id, ...dry }, planned],
    create_receipt_split_transaction: [
      {
        account_id,
        payee_name: 'Shop',
        receipt_tax: 0,
        receipt_total: 1,
        categories: [{ category_id, items: [{ name: 'Bread', amount: 1 }] }],
        ...dry,
      },
      planned,
    ],
    update_category: [{ category_id, budgeted_decimal: 1, ...dry }, planned],
    create_scheduled_transaction: [{ ...dated, date: ids.tomorrow, frequency: 'weekly', ...dry }, planned],
    update_scheduled_transaction: [{ scheduled_transaction_id, memo: 'x', ...dry }, planned],
    delete_scheduled_transaction: [{ scheduled_transaction_id, ...dry }, planned],
  };
}

describe.each(VERSIONS)(
  'the process over standard input and output, with the official client %s',
  (version) => {
    let client: OfficialClient;
    let log: () => string;
    beforeAll(async () => {
      const started = await connectStdio(version, {
        command: process.execPath,
        args: [MAIN, '--data', join(folder, `${version}.db`)],
        env: { YNAB_MCP_WRITE_MODE: 'enabled', YNAB_EXPORT_PATH: folder, LOG_LEVEL: 'debug' },
        stderr: 'pipe',
      });
      ({ client, log } = started);
      await callJson(client, 'set_default_budget', { budget_id: 'default' });
    });
    afterAll(() => client.close());

    test('every tool returns its members', async () => {
      const calls = toCalls(await findIds(client));
      expect(Object.keys(calls).toSorted()).toEqual(GOOD_CALLS.map(({ tool }) => tool).toSorted());
      for (const [tool, [args, members]] of Object.entries(calls)) {
        const result = await callJson<object>(client, tool, { ...args });
        expect([tool, Object.keys(result).join(' ')]).toEqual([tool, members]);
      }
    });

    test.each(GOOD_CALLS.map(({ tool }) => tool))('%s rejects an unknown argument', async (tool) => {
      const { text, isError } = await callTool(client, tool, { bogus: 1 });
      expect(isError).toBe(true);
      expect(text).toContain(`Invalid arguments for tool '${tool}'.\n- bogus: is not a known argument.`);
    });

    test('a change is stored, and the log has no access token', async () => {
      const { account_id, today } = await findIds(client);
      const fields = { account_id, date: today, amount_milliunits: -1000, import_id: 'stored' };
      expect((await callTool(client, 'create_transaction', fields)).isError).toBe(false);
      expect((await callTool(client, 'create_transaction', fields)).text).toContain('(409 conflict:');
      expect(log()).toContain('create_transaction');
      expect(log()).not.toContain('demonstration-access-token');
    });
  },
);

const run = promisify(execFile);

describe('the process with users over HTTP', () => {
  // A folder that does not exist yet.
  const users = join(folder, 'settings', 'users.json');
  const env = { ...process.env, YNAB_ACCESS_TOKEN: 'token-of-ynab-canary', LOG_LEVEL: 'debug' };

  test('a user has a key, and other requests are rejected', async () => {
    const added = await run(process.execPath, [MAIN, '--users', users, '--add-user', 'ada'], { env });
    const key = /^ {2}(\S+)$/m.exec(added.stdout)?.[1] ?? '';
    expect(added.stdout).not.toContain('token-of-ynab-canary');
    expect(readFileSync(users, 'utf8')).not.toContain(key);
    expect(statSync(users).mode & 0o777).toBe(0o600);

    const child = spawn(process.execPath, [MAIN, '--http', '--port', '0', '--users', users], {
      env: { ...process.env, YNAB_DEFAULT_BUDGET_ID: 'of-ada', LOG_LEVEL: 'debug' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    try {
      const url = await new Promise<string>((resolve, reject) => {
        const read = (chunk: Buffer): void => {
          printed += chunk.toString();
          const found = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(printed)?.[0];
          if (found !== undefined) resolve(found);
        };
        child.stdout.on('data', read);
        child.stderr.on('data', read);
        child.once('exit', (code) => reject(new Error(`exit ${code}: ${printed}`)));
      });
      expect((await fetch(url, { method: 'POST' })).status).toBe(401);
      for (const version of VERSIONS) {
        const client = await connectHttp(version, url, key);
        const expected = { default_budget_id: 'of-ada', source: 'YNAB_DEFAULT_BUDGET_ID' };
        expect(await callJson(client, 'get_default_budget', json)).toEqual(expected);
        const info = await callTool(client, 'diagnostic_info');
        expect(info.text).toContain('- **accessToken**: to…ry (20 characters)');
        await client.close();
      }
      expect(printed).not.toContain('token-of-ynab-canary');
      expect(printed).not.toContain(key);
    } finally {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await exited;
    }
  });
});

describe('YNAB_ACCESS_TOKEN selects the real API', () => {
  const env = { YNAB_ACCESS_TOKEN: 'token-of-ynab-canary' };
  const data = join(folder, 'unused.db');

  test('over standard input and output, and no database is created', async () => {
    const args = [MAIN, '--data', data];
    const started = { command: process.execPath, args, env, stderr: 'pipe' as const };
    const { client, log } = await connectStdio('v2', started);
    const { text } = await callTool(client, 'diagnostic_info');
    expect(text).toContain('- **api**: https://api.ynab.com/v1\n');
    expect(text).toContain('- **accessToken**: to…ry (20 characters)');
    await client.close();
    expect(existsSync(data)).toBe(false);
    expect(log()).not.toContain('canary');
  });

  test('over HTTP, the server says who can use the token', async () => {
    const child = spawn(process.execPath, [MAIN, '--http', '--port', '0', '--data', data], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = new Promise((resolve) => child.once('exit', resolve));
    onTestFinished(async () => {
      child.kill('SIGTERM');
      await exited;
    });
    let printed = '';
    for await (const chunk of child.stdout) {
      printed += String(chunk);
      if (printed.includes('key.\n')) break;
    }
    expect(printed.replace(/:\d+\//, ':3001/')).toBe(
      'YNAB budgets are served at http://127.0.0.1:3001/mcp. Stop with Ctrl+C.\nEvery program on this machine can use YNAB_ACCESS_TOKEN at this address. With --users, requests need a key.\n',
    );
  });
});

test.each([
  [['--port', 'x'], '--port must be an integer from 0 to 65535; received "x".'],
  [['--port', '3001'], '--port needs --http: over standard input and output there is no port.'],
  [['--data', `${MAIN}/b.db`], `The folder of --data ${MAIN}/b.db cannot be created: choose another path.`],
  [
    ['--data', MAIN],
    `Cannot use the file ${MAIN}: file is not a database. Choose another file, or one that does not exist yet.`,
  ],
  [['--users', 'u.json'], '--users needs --http: over standard input and output there is only one user.'],
  [['--add-user', 'ada'], '--add-user needs --users <file>.'],
])('%j is rejected', async (args, message) => {
  await expect(run(process.execPath, [MAIN, ...args])).rejects.toMatchObject({
    code: 1,
    stderr: `${message}\n`,
  });
});

test('a port that is in use ends the process, with its embedded API', async () => {
  const blocking = createServer();
  await new Promise<void>((resolve) => blocking.listen(0, '127.0.0.1', resolve));
  const { port } = blocking.address() as AddressInfo;
  const args = [MAIN, '--http', '--port', String(port), '--data', join(folder, 'port.db')];
  await expect(run(process.execPath, args, { timeout: 20_000 })).rejects.toMatchObject({
    code: 1,
    stderr: `serveHttp: port ${port} is in use. Choose another port; 0 picks a free one.\n`,
  });
  blocking.close();
});

test('an invalid variable is rejected', async () => {
  const env = { ...process.env, YNAB_MCP_WRITE_MODE: 'sometimes' };
  await expect(run(process.execPath, [MAIN], { env })).rejects.toMatchObject({
    code: 1,
    stderr: 'YNAB_MCP_WRITE_MODE must be one of read-only, preview, enabled; received "sometimes".\n',
  });
});
