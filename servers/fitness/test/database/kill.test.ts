import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';

const script = fileURLToPath(new URL('save-recipes.mjs', import.meta.url));
const ROUNDS = 5;
const folder = mkdtempSync(join(tmpdir(), 'fitness-kill-'));
const file = join(folder, 'fitness.db');
afterAll(() => rmSync(folder, { recursive: true }));

/** Kills the process as soon as it has reported some recipes, and returns all that it has reported. */
async function saveAndKill(round: number): Promise<string[]> {
  const child = spawn(process.execPath, [script, file, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const reported: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    reported.push(line);
    if (reported.length === 3 + 7 * round) child.kill('SIGKILL');
  }
  const [, signal] = (await exited) as [number | null, string | null];
  expect(signal).toBe('SIGKILL');
  return reported;
}

test(
  `kill -9 during writes, ${ROUNDS} times: nothing lost that was reported, nothing half`,
  { timeout: 120_000 },
  async () => {
    const reported: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) reported.push(...(await saveAndKill(round)));
    expect(reported.length).toBeGreaterThanOrEqual(85);
    const database = openDatabase(file);
    const stored = database.all<{ recipe_id: string; tags: number; words: number }>(
      `SELECT recipe_id, (SELECT count(*) FROM recipe_tags t WHERE t.id = r.id) AS tags,
       (SELECT count(*) FROM recipe_words w WHERE w.rowid = r.id) AS words FROM recipes r`,
    );
    const ids = new Set(stored.map((row) => row.recipe_id));
    expect(reported.filter((id) => !ids.has(id))).toEqual([]);
    expect(stored.filter(({ tags, words }) => tags !== 3 || words !== 1)).toEqual([]);
    expect(database.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(database.all('SELECT count(*) AS count FROM recipe_words')).toEqual([{ count: stored.length }]);
    database.close();
  },
);
