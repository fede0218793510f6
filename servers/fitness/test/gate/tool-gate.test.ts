import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FakeClock } from '../../../../test/support/fake-clock.ts';
import { Administration } from '../../src/accounts/administration.ts';
import { COMMAND_LINE } from '../../src/accounts/actor.ts';
import { openDatabase } from '../../src/database/database.ts';
import type { Database } from '../../src/database/database.ts';
import { ToolGate } from '../../src/gate/tool-gate.ts';
import { createGatedRegistry } from './support/gated-registry.ts';

const DISABLED = new Set(['search_food']);
let folder: string;
let database: Database;
let gate: ToolGate;
let administration: Administration;
/** The operations of the command line, in another process. */
let remote: Administration;
let other: Database;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fitness-gate-'));
  const file = join(folder, 'gate.db');
  database = openDatabase(file);
  other = openDatabase(file);
  gate = new ToolGate(database, DISABLED);
  const now = (): number => Date.UTC(2026, 10, 18, 9);
  administration = new Administration(database, {
    now,
    disabledTools: DISABLED,
    onChange: () => gate.refresh(),
  });
  remote = new Administration(other, { now, disabledTools: DISABLED, onChange: () => {} });
  remote.setPlan(COMMAND_LINE, { tenant: 'acme', plan: 'professional' });
  remote.addUser(COMMAND_LINE, { user: 'mia', tenant: 'acme' });
});
afterEach(() => {
  database.close();
  other.close();
  rmSync(folder, { recursive: true });
});

const caller = (id: string): { readonly principal: { readonly id: string } } => ({ principal: { id } });
const has = (user: string, name: string): boolean =>
  createGatedRegistry(gate)
    .listTools(caller(user))
    .some((tool) => tool.name === name);
const isAllowed = (user: string, name: string): boolean =>
  gate.policy({ name } as Parameters<ToolGate['policy']>[0], caller(user));

test('a change by this process is seen in the same synchronous run', () => {
  expect(isAllowed('mia', 'suggest_rest_day')).toBe(true);
  administration.setOverride(COMMAND_LINE, {
    tenant: 'acme',
    tool: 'suggest_rest_day',
    isEnabled: false,
    reason: 'Not reviewed',
  });
  expect(isAllowed('mia', 'suggest_rest_day')).toBe(false);
  administration.removeOverride(COMMAND_LINE, { tenant: 'acme', tool: 'suggest_rest_day' });
  expect(isAllowed('mia', 'suggest_rest_day')).toBe(true);
  administration.setPlan(COMMAND_LINE, { tenant: 'acme', plan: 'starter' });
  expect(isAllowed('mia', 'suggest_rest_day')).toBe(false);
});

test('a change by another process is seen by the next list or call, and not within one synchronous run', async () => {
  expect(isAllowed('mia', 'suggest_rest_day')).toBe(true);
  remote.setPlan(COMMAND_LINE, { tenant: 'acme', plan: 'starter' });
  expect(isAllowed('mia', 'suggest_rest_day')).toBe(true);
  await Promise.resolve();
  expect(isAllowed('mia', 'suggest_rest_day')).toBe(false);
});

test('every change of a row that decides is noticed, whatever statement made it', async () => {
  const statements = [
    "INSERT INTO users VALUES ('noa', 'user', NULL, 0)",
    "UPDATE users SET role = 'admin' WHERE id = 'noa'",
    "DELETE FROM users WHERE id = 'noa'",
    "INSERT INTO tenants VALUES ('blue', 'starter', 0)",
    "UPDATE tenants SET plan = 'enterprise' WHERE id = 'blue'",
    "INSERT INTO overrides VALUES ('blue', 'set_goal', 1, 'x', 0, 'y')",
    "UPDATE overrides SET is_enabled = 0 WHERE tenant_id = 'blue'",
    "DELETE FROM overrides WHERE tenant_id = 'blue'",
    "DELETE FROM tenants WHERE id = 'blue'",
  ];
  let changes = 0;
  gate.onChange(() => (changes += 1));
  for (const [index, statement] of statements.entries()) {
    other.run(statement);
    gate.refresh();
    await Promise.resolve();
    expect([statement, changes]).toEqual([statement, index + 1]);
  }
});

test('a change is announced once: at once by this process, after half a second by another one', async () => {
  const clock = new FakeClock();
  let changes = 0;
  const stopListening = gate.onChange(() => (changes += 1));
  const stop = gate.watch(clock);
  gate.refresh();
  await Promise.resolve();
  changes = 0;
  administration.setPlan(COMMAND_LINE, { tenant: 'acme', plan: 'starter' });
  await Promise.resolve();
  expect(changes).toBe(1);
  remote.setPlan(COMMAND_LINE, { tenant: 'acme', plan: 'enterprise' });
  clock.advance(499);
  await Promise.resolve();
  expect(changes).toBe(1);
  clock.advance(1);
  await Promise.resolve();
  expect(changes).toBe(2);
  clock.advance(500);
  await Promise.resolve();
  expect(changes).toBe(2);
  stopListening();
  stop();
  expect(clock.pending).toBe(0);
});

test('a database that fails hides every tool, also from anonymous callers and administrators', async () => {
  remote.addUser(COMMAND_LINE, { user: 'ada', role: 'admin' });
  expect(createGatedRegistry(gate).listTools(caller('ada'))).toHaveLength(53);
  expect(createGatedRegistry(gate).listTools()).toHaveLength(16);
  await Promise.resolve();
  let changes = 0;
  gate.onChange(() => (changes += 1));
  other.run('ALTER TABLE gate_revision RENAME TO lost');
  await Promise.resolve();
  const registry = createGatedRegistry(gate);
  expect(registry.listTools(caller('ada'))).toEqual([]);
  expect(registry.listTools()).toEqual([]);
  expect(await registry.handleCall({ name: 'get_athlete' })).toMatchObject({
    kind: 'protocol-error',
    code: -32602,
  });
  other.run('ALTER TABLE lost RENAME TO gate_revision');
  await Promise.resolve();
  expect(createGatedRegistry(gate).listTools(caller('ada'))).toHaveLength(53);
  await Promise.resolve();
  expect(changes).toBe(2);
});

test('a missing row of the revision is a failure, too', async () => {
  other.run('DELETE FROM gate_revision');
  await Promise.resolve();
  expect(createGatedRegistry(gate).listTools()).toEqual([]);
});

test('a user that does not exist has no tools, and roles of a principal count for nothing', () => {
  const principal = { id: 'eve', roles: ['admin'], tenant: 'acme' };
  expect(createGatedRegistry(gate).listTools({ principal })).toEqual([]);
  expect(has('mia', 'admin_add_user')).toBe(false);
});

test('a hidden tool responds like an unknown one', async () => {
  const registry = createGatedRegistry(gate);
  const call = async (name: string): Promise<string> =>
    JSON.stringify(await registry.handleCall({ name, ...caller('mia') })).replaceAll(name, '<name>');
  expect(await call('admin_add_user')).toBe(await call('zzz_zzz_zzz'));
  expect(await call('predict_performance')).toBe(await call('zzz_zzz_zzz'));
});

test('a name outside the catalog is hidden', () => {
  remote.addUser(COMMAND_LINE, { user: 'ada', role: 'admin' });
  expect(isAllowed('ada', 'get_stats')).toBe(true);
  expect(isAllowed('ada', 'toString')).toBe(false);
  expect(isAllowed('ada', 'drop_tables')).toBe(false);
});
