import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type * as ynab from 'ynab';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApi } from './support/open-api.ts';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const ROUNDS = 20;
const SIZE = 30;
const DATE = '2026-11-01';
const folder = mkdtempSync(join(tmpdir(), 'ynab-api-kill-'));
const file = join(folder, 'budgets.db');
let accounts: ynab.Account[];

beforeAll(async () => {
  if (!existsSync(main)) throw new Error('Run npm run build first: this test starts dist/main.js.');
  const open = openApi({ file });
  for (const name of ['Killed', 'Target'])
    await open.ok('POST /plans/default/accounts', { account: { name, type: 'checking', balance: 0 } });
  accounts = (await open.ok<ynab.AccountsResponse>('GET /plans/default/accounts')).data.accounts.slice(-2);
  open.api.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

async function start(): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [main, '--port', '0', '--file', file, '--token', 'token'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\S+\/v1/.exec(line)?.[0];
    if (url !== undefined) return { child, url };
  }
  throw new Error('The server ended before it was ready.');
}

/** A bulk whose elements carry its name; every third is a transfer, which has two rows. */
function toBulk(name: string): object {
  const transactions = Array.from({ length: SIZE }, (_, index) => ({
    account_id: accounts[0]?.id,
    date: DATE,
    amount: -1000,
    import_id: `${name}:${index}`,
    ...(index % 3 === 0 ? { payee_id: accounts[1]?.transfer_payee_id } : { payee_name: `Payee of ${name}` }),
  }));
  return { transactions };
}

/** Sends bulks one after the other and kills the process during one of them. Returns the names of the bulks that were sent and answered. */
async function sendAndKill(round: number): Promise<{ sent: string[]; answered: string[] }> {
  const { child, url } = await start();
  const exited = once(child, 'exit');
  const sent: string[] = [];
  const answered: string[] = [];
  const last = 1 + (round % 4);
  let duration = 0;
  for (let index = 0; index < 100; index += 1) {
    const name = `${round}:${index}`;
    sent.push(name);
    const headers = { authorization: 'Bearer token' };
    const body = JSON.stringify(toBulk(name));
    const begin = performance.now();
    const request = fetch(`${url}/plans/default/transactions`, { method: 'POST', headers, body }).catch(
      () => undefined,
    );
    // A random moment of a bulk that takes about as long as the previous one.
    if (index === last) void delay(Math.random() * duration).then(() => child.kill('SIGKILL'));
    const reply = await request;
    if (reply === undefined) break;
    expect(reply.status).toBe(201);
    answered.push(name);
    duration = performance.now() - begin;
  }
  await exited;
  return { sent, answered };
}

test(
  `kill -9 in the middle of bulk writes, ${ROUNDS} times: nothing lost that was answered, nothing half`,
  { timeout: 300_000 },
  async () => {
    const sent: string[] = [];
    const answered = new Set<string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const result = await sendAndKill(round);
      sent.push(...result.sent);
      for (const name of result.answered) answered.add(name);
    }
    const open = openApi({ file });
    const list = async (account: ynab.Account | undefined): Promise<ynab.TransactionDetail[]> =>
      (await open.ok<ynab.TransactionsResponse>(`GET /plans/default/accounts/${account?.id}/transactions`))
        .data.transactions;
    const [rows, counterparts] = [await list(accounts[0]), await list(accounts[1])];
    const stored = new Map<string, number>();
    for (const { import_id: id } of rows) {
      const name = id?.split(':').slice(0, 2).join(':') ?? '';
      stored.set(name, (stored.get(name) ?? 0) + 1);
    }
    expect(answered.size).toBeGreaterThan(0);
    expect(sent.length).toBeGreaterThan(answered.size);
    expect([...answered].filter((name) => stored.get(name) !== SIZE)).toEqual([]);
    expect([...stored].filter(([, count]) => count !== SIZE)).toEqual([]);
    expect(counterparts).toHaveLength((stored.size * SIZE) / 3);
    const { data } = await open.ok<ynab.AccountsResponse>('GET /plans/default/accounts');
    expect(data.accounts.slice(-2).map(({ balance }) => balance)).toEqual([
      rows.length * -1000,
      counterparts.length * 1000,
    ]);
    open.api.close();
  },
);
