import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import { callJson, callTool, connectHttp } from '../support/clients.ts';
import { command, startHttp } from '../support/processes.ts';

const ROUNDS = 20;
const CLIENTS = 3;
const folder = mkdtempSync(join(tmpdir(), 'fitness-kill-'));
const file = join(folder, 'fitness.db');
const variables = { FITNESS_DATABASE: file };
const admin = (...args: string[]): Promise<string> => command(args, variables);
const tokens: string[] = [];
beforeAll(async () => {
  await admin('tenant', 'set-plan', 'acme', 'enterprise');
  for (const user of ['ada', 'ben', 'eve']) {
    await admin('user', 'add', user, '--tenant', 'acme', '--role', 'owner');
    tokens.push(await admin('token', 'issue', user));
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Ids in results that have arrived. */
interface Answered {
  readonly recipes: string[];
  readonly users: string[];
}

/** Writes with several clients at the same time, and kills the server during a write, after a number of responses. */
async function writeAndKill(round: number, answered: Answered): Promise<void> {
  const http = await startHttp(variables);
  const exited = once(http.child, 'exit');
  const wanted = countOf(answered) + 5 + round * 2;
  await Promise.all(
    tokens.map(async (token, index) => {
      const client = await connectHttp({ version: index % 2 === 0 ? 'v1' : 'v2' }, http.url, token);
      // Ends when the server does not respond any more.
      await writeUntil(client, {
        name: `${round} ${index}`,
        answered,
        onAnswer: () => countOf(answered) >= wanted && http.child.kill('SIGKILL'),
      }).catch(() => {});
      await client.close().catch(() => {});
    }),
  );
  expect(await exited).toEqual([null, 'SIGKILL']);
}

function countOf({ recipes, users }: Answered): number {
  return recipes.length + users.length;
}

async function writeUntil(
  client: Awaited<ReturnType<typeof connectHttp>>,
  {
    name,
    answered,
    onAnswer,
  }: { readonly name: string; readonly answered: Answered; readonly onAnswer: () => unknown },
): Promise<void> {
  for (let count = 0; count < 300; count += 1) {
    const { recipe_id } = await callJson<{ recipe_id: string }>(client, 'save_recipe', {
      name: `Recipe ${name} ${count}`,
      servings: 1,
      ingredients: [{ name: '09003', amount: 1, unit: 'piece' }],
      instructions: ['Eat it.'],
      tags: ['one', 'two', 'three'],
    });
    answered.recipes.push(recipe_id);
    onAnswer();
    const id = `u${name.replace(' ', '-')}-${count}`;
    const { user } = await callJson<{ user: string }>(client, 'admin_add_user', { user: id });
    answered.users.push(user);
    onAnswer();
  }
}

test(
  `kill -9 of the server during writes of ${CLIENTS} clients, ${ROUNDS} times: nothing lost that was answered, nothing half`,
  { timeout: 180_000 },
  async () => {
    const answered: Answered = { recipes: [], users: [] };
    for (let round = 0; round < ROUNDS; round += 1) await writeAndKill(round, answered);
    const calls = countOf(answered);
    expect(calls).toBeGreaterThanOrEqual(480);
    const database = openDatabase(file);
    const recipes = database.all<{ recipe_id: string; tags: number; words: number }>(
      `SELECT recipe_id, (SELECT count(*) FROM recipe_tags t WHERE t.id = r.id) AS tags,
       (SELECT count(*) FROM recipe_words w WHERE w.rowid = r.id) AS words FROM recipes r`,
    );
    const stored = new Set(recipes.map(({ recipe_id }) => recipe_id));
    expect(answered.recipes.filter((id) => !stored.has(id))).toEqual([]);
    expect(recipes.filter(({ tags, words }) => tags !== 3 || words !== 1)).toEqual([]);
    expect(database.all('SELECT count(*) AS count FROM recipe_words')).toEqual([{ count: recipes.length }]);
    const users = database.all<{ id: string }>("SELECT id FROM users WHERE id LIKE 'u%'").map(({ id }) => id);
    expect(answered.users.filter((id) => !users.includes(id))).toEqual([]);
    // Each user was added with its audit entry, and no entry is without its user.
    const audited = database.all<{ id: string }>(
      "SELECT detail ->> 'user' AS id FROM audit WHERE action = 'user_add' AND detail ->> 'user' LIKE 'u%'",
    );
    expect(audited.map(({ id }) => id).toSorted()).toEqual(users.toSorted());
    // Each answered call was counted. Calls without a response may be counted, one of each client in each round.
    const [month] = database.all<{ count: number }>(
      "SELECT count FROM toolwright_rates WHERE key LIKE 'month|%|tenant:acme'",
    );
    expect(month?.count).toBeGreaterThanOrEqual(calls);
    expect(month?.count).toBeLessThanOrEqual(calls + CLIENTS * ROUNDS);
    expect(database.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    database.close();
  },
);

test('calls of a minute are counted across kill -9: 60 before it leave 40 after it', async () => {
  await admin('user', 'add', 'uwe');
  const token = await admin('token', 'issue', 'uwe');
  for (const [calls, isLimited] of [
    [60, false],
    [40, true],
  ] as const) {
    const http = await startHttp(variables);
    const client = await connectHttp({ version: 'v1' }, http.url, token);
    for (let call = 0; call < calls; call += 1)
      expect((await callTool(client, 'list_recipes')).isError).toBe(false);
    if (isLimited)
      expect(await callTool(client, 'list_recipes')).toMatchObject({
        isError: true,
        text: expect.stringContaining('The user uwe has 100 calls a minute with the plan starter.') as string,
      });
    await http.stop('SIGKILL');
    await client.close().catch(() => {});
  }
});
