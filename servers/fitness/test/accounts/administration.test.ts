import { afterEach, beforeEach, expect, test } from 'vitest';
import { Administration } from '../../src/accounts/administration.ts';
import { COMMAND_LINE, toActor } from '../../src/accounts/actor.ts';
import type { Actor } from '../../src/accounts/actor.ts';
import { TokenStore } from '../../src/accounts/token-store.ts';
import { openDatabase } from '../../src/database/database.ts';
import type { Database } from '../../src/database/database.ts';

const OLGA: Actor = { id: 'olga', tenant: 'acme' };
let database: Database;
let administration: Administration;
let now: number;
let changes: number;

beforeEach(() => {
  database = openDatabase(':memory:');
  now = Date.UTC(2026, 10, 18, 9);
  changes = 0;
  administration = new Administration(database, {
    now: () => now,
    disabledTools: new Set(['get_stats']),
    onChange: () => (changes += 1),
  });
  administration.setPlan(COMMAND_LINE, { tenant: 'acme', plan: 'professional' });
  administration.setPlan(COMMAND_LINE, { tenant: 'blue', plan: 'starter' });
  administration.addUser(COMMAND_LINE, { user: 'olga', tenant: 'acme', role: 'owner' });
  administration.addUser(COMMAND_LINE, { user: 'ben', tenant: 'blue' });
  changes = 0;
});
afterEach(() => {
  database.close();
});

test('a user is a member if there is a tenant, and otherwise has none', () => {
  expect(administration.addUser(COMMAND_LINE, { user: 'mia', tenant: 'acme' })).toEqual({
    user: 'mia',
    role: 'member',
    tenant: 'acme',
  });
  expect(administration.addUser(COMMAND_LINE, { user: 'uwe@example.com' })).toEqual({
    user: 'uwe@example.com',
    role: 'user',
    tenant: undefined,
  });
  expect(changes).toBe(2);
});

test.each([
  [{ user: 'Mia' }, /^Invalid user "Mia": use 1 to 64 lowercase letters/],
  [{ user: 'command line' }, /^Invalid user "command line"/],
  [{ user: 'a|b' }, /^Invalid user/],
  [{ user: 'olga' }, 'The user "olga" exists: use another id.'],
  [{ user: 'mia', role: 'chief' }, 'Unknown role "chief": use user, member, owner, admin.'],
  [{ user: 'mia', role: 'member' }, 'The role member needs a tenant: name one, or use the role user.'],
  [
    { user: 'mia', role: 'admin', tenant: 'acme' },
    'The role admin has no tenant: use member or owner, or no tenant.',
  ],
  [{ user: 'mia', tenant: 'acne' }, 'Unknown tenant "acne": use acme, blue.'],
])('the user %o is rejected, and nothing is stored', (given, message) => {
  expect(() => administration.addUser(COMMAND_LINE, given)).toThrow(message);
  expect(database.all('SELECT count(*) AS count FROM users')).toEqual([{ count: 2 }]);
  expect(changes).toBe(0);
});

test('the database has the hash of a token, never the token', () => {
  const { token, prefix, expiresAt } = administration.issueToken(COMMAND_LINE, { user: 'olga' });
  expect(token).toMatch(/^fit_[\da-f]{16}_[\w-]{43}$/);
  expect(token.startsWith(`${prefix}_`)).toBe(true);
  expect(expiresAt).toBeUndefined();
  const secret = token.slice(prefix.length + 1);
  for (const { name } of database.all<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table'",
  ))
    if (!name.includes('_words'))
      expect(JSON.stringify(database.all(`SELECT * FROM ${name}`))).not.toContain(secret);
  expect(database.all('SELECT length(hash) AS length FROM tokens')).toEqual([{ length: 43 }]);
});

test('a token expires after its days, and a revoked one is unknown to the store', () => {
  const store = new TokenStore(database);
  const { prefix, expiresAt } = administration.issueToken(COMMAND_LINE, { user: 'olga', validDays: 30 });
  expect(expiresAt).toBe('2026-12-18T09:00:00.000Z');
  expect(store.find(prefix)).toMatchObject({
    prefix,
    principal: { id: 'olga' },
    expiresAt: Date.UTC(2026, 11, 18, 9),
  });
  administration.revokeToken(COMMAND_LINE, prefix);
  expect(store.find(prefix)).toBeUndefined();
  expect(() => administration.revokeToken(COMMAND_LINE, prefix)).toThrow('Unknown token: use the prefix');
});

test('a token for an unknown user, too many days and too many tokens are rejected', () => {
  expect(() => administration.issueToken(COMMAND_LINE, { user: 'eve' })).toThrow(
    'Unknown user "eve": add the user first.',
  );
  expect(() => administration.issueToken(COMMAND_LINE, { user: 'olga', validDays: 0 })).toThrow(
    'Invalid number of days "0": use a whole number from 1 to 3650.',
  );
  for (let count = 0; count < 49; count += 1) administration.issueToken(COMMAND_LINE, { user: 'olga' });
  administration.issueToken(COMMAND_LINE, { user: 'olga', validDays: 1 });
  const issue = (): unknown => administration.issueToken(COMMAND_LINE, { user: 'olga' });
  expect(issue).toThrow('The user "olga" has 50 valid tokens, which is the limit: revoke one first.');
  now += 86_400_000;
  expect(issue).not.toThrow();
});

test('a plan creates its tenant, and an unknown plan names the choices', () => {
  expect(administration.setPlan(COMMAND_LINE, { tenant: 'cyan', plan: 'enterprise' })).toEqual({
    tenant: 'cyan',
    plan: 'enterprise',
    isCreated: true,
  });
  expect(administration.setPlan(COMMAND_LINE, { tenant: 'cyan', plan: 'starter' }).isCreated).toBe(false);
  expect(() => administration.setPlan(COMMAND_LINE, { tenant: 'cyan', plan: 'gold' })).toThrow(
    'Unknown plan "gold": use starter, professional, enterprise.',
  );
  expect(() => administration.setPlan(COMMAND_LINE, { tenant: 'a b', plan: 'starter' })).toThrow(
    'Invalid tenant "a b"',
  );
});

test('an override has who, when and why, and the result has the decision that follows', () => {
  const set = administration.setOverride(OLGA, {
    tenant: 'acme',
    tool: 'suggest_rest_day',
    isEnabled: false,
    reason: ' Coaches decide ',
  });
  expect(set).toMatchObject({
    tool: 'suggest_rest_day',
    isAllowed: false,
    source: 'override',
    reason: 'olga disabled the tool at 2026-11-18T09:00:00.000Z: Coaches decide',
    override: { setBy: 'olga', setAt: '2026-11-18T09:00:00.000Z', reason: 'Coaches decide' },
  });
  expect(administration.removeOverride(OLGA, { tenant: 'acme', tool: 'suggest_rest_day' })).toMatchObject({
    isAllowed: true,
    source: 'default',
  });
  const beyond = { tenant: 'blue', tool: 'predict_performance', isEnabled: true, reason: 'Trial' };
  expect(administration.setOverride(COMMAND_LINE, beyond)).toMatchObject({
    isAllowed: false,
    source: 'plan',
  });
  const disabled = { tenant: 'blue', tool: 'get_stats', isEnabled: true, reason: 'Trial' };
  expect(administration.setOverride(COMMAND_LINE, disabled)).toMatchObject({
    isAllowed: false,
    source: 'globally_disabled',
  });
});

test('an invalid override is rejected with the choices', () => {
  const set = (tool: string, reason: string): unknown =>
    administration.setOverride(COMMAND_LINE, { tenant: 'acme', tool, isEnabled: false, reason });
  expect(() => set('get_stat', 'x')).toThrow(
    /^Unknown tool "get_stat": use get_activities, .*, search_recipes\.$/,
  );
  expect(() => set('admin_add_user', 'x')).toThrow(
    'The tool "admin_add_user" has no overrides: only administrators and owners have it.',
  );
  expect(() => set('set_goal', '  ')).toThrow('Invalid reason: write one line of 1 to 500 characters');
  expect(() => set('set_goal', 'a\nb')).toThrow('Invalid reason');
  expect(() => set('set_goal', 'x'.repeat(501))).toThrow('Invalid reason');
  expect(() => administration.removeOverride(COMMAND_LINE, { tenant: 'acme', tool: 'set_goal' })).toThrow(
    'The tenant "acme" has no override of "set_goal". The tenant has no overrides.',
  );
  set('set_goal', 'x');
  expect(() => administration.removeOverride(COMMAND_LINE, { tenant: 'acme', tool: 'save_recipe' })).toThrow(
    'The tenant "acme" has no override of "save_recipe". Its overrides: set_goal.',
  );
});

test('the effective tools of a tenant have their sources, and a summary by category', () => {
  administration.setOverride(COMMAND_LINE, {
    tenant: 'acme',
    tool: 'set_goal',
    isEnabled: false,
    reason: 'Season is over',
  });
  const { plan, tools, categories } = administration.listEffectiveTools(COMMAND_LINE, 'acme');
  expect(plan).toBe('professional');
  expect(tools).toHaveLength(47);
  const sources = tools.map(({ source, isAllowed }) => `${source} ${isAllowed ? 'on' : 'off'}`);
  const count = (wanted: string): number => sources.filter((source) => source === wanted).length;
  expect(count('default on')).toBe(43);
  expect(count('globally_disabled off')).toBe(1);
  expect(count('override off')).toBe(1);
  expect(count('plan off')).toBe(2);
  expect(categories).toEqual([
    { category: 'core', total: 6, enabled: 5 },
    { category: 'goals', total: 4, enabled: 3 },
    { category: 'analysis', total: 10, enabled: 9 },
    { category: 'configuration', total: 6, enabled: 6 },
    { category: 'fitness_config', total: 4, enabled: 4 },
    { category: 'sleep', total: 5, enabled: 4 },
    { category: 'nutrition', total: 5, enabled: 5 },
    { category: 'recipes', total: 7, enabled: 7 },
  ]);
});

test('an owner changes and sees only their own tenant: all others are unknown', () => {
  const { prefix } = administration.issueToken(COMMAND_LINE, { user: 'ben' });
  const unknown = 'Unknown tenant "blue": use acme.';
  const input = { tenant: 'blue', tool: 'set_goal', isEnabled: false, reason: 'x' };
  expect(() => administration.setOverride(OLGA, input)).toThrow(unknown);
  expect(() => administration.removeOverride(OLGA, input)).toThrow(unknown);
  expect(() => administration.listEffectiveTools(OLGA, 'blue')).toThrow(unknown);
  expect(() => administration.addUser(OLGA, { user: 'spy', tenant: 'blue' })).toThrow(unknown);
  expect(() => administration.issueToken(OLGA, { user: 'ben' })).toThrow('Unknown user "ben"');
  expect(() => administration.revokeToken(OLGA, prefix)).toThrow('Unknown token');
  expect(() => administration.addUser(OLGA, { user: 'spy', role: 'admin' })).toThrow(
    'Owners cannot give the role admin: use member or owner.',
  );
  expect(() => administration.addUser(OLGA, { user: 'spy', role: 'user' })).toThrow('Owners cannot give');
  expect(() => administration.setPlan(OLGA, { tenant: 'acme', plan: 'enterprise' })).toThrow(
    'Owners cannot change plans: ask an administrator.',
  );
  expect(administration.addUser(OLGA, { user: 'mia' })).toMatchObject({ role: 'member', tenant: 'acme' });
  const { prefix: own } = administration.issueToken(OLGA, { user: 'mia' });
  expect(administration.revokeToken(OLGA, own)).toEqual({ user: 'mia', prefix: own });
  expect(new Set(administration.audit.list(OLGA).map(({ tenant }) => tenant))).toEqual(new Set(['acme']));
  expect(JSON.stringify(administration.audit.list(OLGA))).not.toContain('blue');
});

test('every change is in the audit, and a rejected one is not', () => {
  const before = administration.audit.list(COMMAND_LINE).length;
  const { token, prefix } = administration.issueToken(OLGA, { user: 'olga' });
  administration.revokeToken(OLGA, prefix);
  administration.setOverride(OLGA, { tenant: 'acme', tool: 'set_goal', isEnabled: false, reason: 'Why' });
  administration.removeOverride(OLGA, { tenant: 'acme', tool: 'set_goal' });
  expect(() => administration.addUser(OLGA, { user: 'ben' })).toThrow('exists');
  const entries = administration.audit.list(COMMAND_LINE).slice(0, -before);
  expect(entries.map(({ actor, action, tenant }) => [actor, action, tenant])).toEqual([
    ['olga', 'override_remove', 'acme'],
    ['olga', 'override_set', 'acme'],
    ['olga', 'token_revoke', 'acme'],
    ['olga', 'token_issue', 'acme'],
  ]);
  expect(entries[1]).toEqual({
    at: '2026-11-18T09:00:00.000Z',
    actor: 'olga',
    action: 'override_set',
    tenant: 'acme',
    detail: { tool: 'set_goal', isEnabled: false, reason: 'Why' },
  });
  expect(JSON.stringify(entries)).not.toContain(token);
});

test('only administrators and owners are actors', () => {
  expect(toActor('ada', { role: 'admin' })).toEqual({ id: 'ada' });
  const tenant = { tenant: 'acme', plan: 'starter', overrides: new Map() } as const;
  expect(toActor('olga', { role: 'owner', ...tenant })).toEqual({ id: 'olga', tenant: 'acme' });
  for (const standing of [
    undefined,
    { role: 'user' },
    { role: 'anonymous' },
    { role: 'member', ...tenant },
  ] as const)
    expect(() => toActor('mia', standing)).toThrow('Only administrators and owners may do this.');
});
