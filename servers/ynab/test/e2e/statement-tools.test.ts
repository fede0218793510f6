import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  callJson,
  callTool,
  connectHttp,
  connectStdio,
  serveWithTokens,
  VERSIONS,
} from '../support/clients.ts';
import type { ClientVersion, OfficialClient } from '../support/clients.ts';
import { startStack, TOKEN } from '../support/stack.ts';

/** The tools that read a bank statement, through the official clients. */

interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'budget-statements-'));
const stack = await startStack();
const served = await serveWithTokens(stack.server);
afterAll(async () => {
  await served.close();
  await stack.close();
  rmSync(folder, { recursive: true, force: true });
});
if (!existsSync(MAIN)) throw new Error('servers/ynab/dist is missing: run `npm run build` first');

const CONNECTIONS: Readonly<Record<'HTTP' | 'stdio', (version: ClientVersion) => Promise<OfficialClient>>> = {
  HTTP: (version) => connectHttp(version, served.url, TOKEN),
  stdio: async (version) => {
    const env = { YNAB_MCP_WRITE_MODE: 'enabled' };
    const args = [MAIN, '--data', join(folder, `${version}.db`)];
    const started = { command: process.execPath, args, env, stderr: 'pipe' as const };
    return (await connectStdio(version, started)).client;
  },
};

const CASES = (['HTTP', 'stdio'] as const).flatMap((transport) =>
  VERSIONS.map((version) => ({ transport, version })),
);

const day = (ago: number): string =>
  new Date(Date.parse('2026-11-17') - ago * 86_400_000).toISOString().slice(0, 10);

const BAD_CALLS: readonly (readonly [args: object, error: string])[] = [
  [{}, '- csv_data: pass exactly one of csv_data and csv_file_path'],
  [{ csv_data: 'x', csv_file_path: 'y' }, '- csv_data: pass exactly one of csv_data and csv_file_path'],
  [{ csv_data: 'Date,Amount\n', date_tolerance_days: 8 }, '- date_tolerance_days: '],
  [{ csv_data: 'Date,Amount\n', csv_format: { delimiter: '-' } }, '- csv_format.delimiter: '],
];

describe.each(CASES)('through the official client $version over $transport', ({ transport, version }) => {
  let client: OfficialClient;
  let budget_id: string;
  let account_id: string;
  beforeAll(async () => {
    client = await CONNECTIONS[transport](version);
    const { budgets } = await callJson<{ budgets: { id: string }[] }>(client, 'list_budgets', {
      response_format: 'json',
    });
    budget_id = budgets[0]?.id ?? '';
    const created = await callJson<{ account: { id: string } }>(client, 'create_account', {
      budget_id,
      name: 'Statements',
      type: 'checking',
    });
    account_id = created.account.id;
  });
  afterAll(() => client.close());

  const csv_data = `Date,Description,Amount\n${day(3)},Hardware Store,-20.00\n${day(2)},Book Shop,-30.00\n`;

  test('compare_transactions and reconcile_account return their facts', async () => {
    const statement = { budget_id, account_id, csv_data };
    const compared = await callTool(client, 'compare_transactions', statement);
    expect(compared.text).toContain('- **Missing in YNAB**: 2');
    const planned = await callTool(client, 'reconcile_account', { ...statement, statement_balance: -50 });
    expect(planned.text).toContain('- **Only in the statement**: 2');
    const run = { dry_run: false, auto_create_transactions: true, statement_balance: -50 };
    const done = await callTool(client, 'reconcile_account', { ...statement, ...run });
    expect(done.text).toContain('- create: 2 done\n- reconcile: 2 done');
    expect(done.text).toContain('- The account agrees with the statement.');
  });

  test.each(BAD_CALLS)('both tools reject %j', async (args, error) => {
    for (const tool of ['compare_transactions', 'reconcile_account']) {
      const balance = tool === 'reconcile_account' ? { statement_balance: 0 } : {};
      const result = await callTool(client, tool, { budget_id, account_id, ...balance, ...args });
      expect(result.isError).toBe(true);
      expect(result.text).toContain(`Invalid arguments for tool '${tool}'.\n${error}`);
    }
  });

  test('a reconciliation reports its progress', async () => {
    const steps: (readonly (number | string | undefined)[])[] = [];
    const rows = `Date,Description,Amount\n${day(1)},Flower Shop,-7.00\n`;
    const args = { budget_id, account_id, csv_data: rows, statement_balance: -57 };
    const run = { dry_run: false, auto_create_transactions: true };
    const call = { name: 'reconcile_account', arguments: { ...args, ...run } };
    const onprogress = ({ progress, total, message }: Progress): void => {
      steps.push([progress, total, message]);
    };
    await (client instanceof Client
      ? client.callTool(call, { onprogress })
      : client.callTool(call, undefined, { onprogress }));
    expect(steps).toEqual([
      [0, undefined, 'Loading the account'],
      [1, 3, 'create: 1'],
      [2, 3, 'reconcile: 1'],
      [3, 3, undefined],
    ]);
  });

  test('csv_data can have 10 MB', { timeout: 120_000 }, async () => {
    const line = `${day(5)},${'Shop '.repeat(128)},-1.00\n`;
    const large = `Date,Description,Amount\n${line.repeat(Math.floor((10 * 1024 * 1024 - 100) / line.length))}`;
    expect(large.length).toBeGreaterThan(10_000_000);
    const result = await callTool(client, 'compare_transactions', { budget_id, account_id, csv_data: large });
    expect(result.text.slice(0, 400)).toMatch(/- \*\*Missing in YNAB\*\*: 15\d{3}\n/);
    // A result of all rows would fill the context of a model.
    expect(result.text.length).toBeLessThan(40_000);
  });
});
