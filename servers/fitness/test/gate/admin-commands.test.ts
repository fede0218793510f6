import { afterEach, beforeEach, expect, test } from 'vitest';
import { COMMAND_LINE } from '../../src/accounts/actor.ts';
import { Administration } from '../../src/accounts/administration.ts';
import { openDatabase } from '../../src/database/database.ts';
import type { Database } from '../../src/database/database.ts';
import { ADMIN_USAGE, isAdminCommand, runAdminCommand } from '../../src/gate/admin-commands.ts';

let database: Database;
let administration: Administration;
const run = (...args: string[]): string => runAdminCommand(administration, COMMAND_LINE, args);
/** The cells of each line. */
const table = (text: string): string[][] => text.split('\n').map((line) => line.split(/ {2,}/));

beforeEach(() => {
  database = openDatabase(':memory:');
  administration = new Administration(database, {
    now: () => Date.UTC(2026, 10, 18, 9),
    disabledTools: new Set(['get_stats']),
    onChange: () => {},
  });
});
afterEach(() => {
  database.close();
});

test('a tenant from its plan to a revoked token', () => {
  expect(run('tenant', 'set-plan', 'acme', 'starter')).toBe('Created the tenant acme with the plan starter.');
  expect(run('tenant', 'set-plan', 'acme', 'professional')).toBe(
    'The tenant acme has the plan professional.',
  );
  expect(run('user', 'add', 'mia', '--tenant', 'acme')).toBe(
    'Added the user mia with the role member, in the tenant acme.',
  );
  expect(run('user', 'add', 'ada', '--role=admin')).toBe(
    'Added the user ada with the role admin, without a tenant.',
  );
  const [token = '', note] = run('token', 'issue', 'mia', '--days', '30').split('\n');
  expect(token).toMatch(/^fit_/);
  const prefix = token.slice(0, 20);
  expect(note).toBe(
    `Token ${prefix} of the user mia, valid until 2026-12-18T09:00:00.000Z. It is shown only now.`,
  );
  expect(run('override', 'set', 'acme', 'suggest_rest_day', 'off', '--reason', 'Coaches decide')).toBe(
    'suggest_rest_day is off (override): command line disabled the tool at 2026-11-18T09:00:00.000Z: Coaches decide',
  );
  expect(run('override', 'remove', 'acme', 'suggest_rest_day')).toBe(
    'suggest_rest_day is on (default): The plan professional has the tool, and tools are enabled by default.',
  );
  expect(run('token', 'revoke', prefix)).toBe(`Revoked the token ${prefix} of the user mia.`);
});

test('catalog lists each tool, and counts by category', () => {
  const lines = table(run('catalog'));
  expect(lines).toHaveLength(1 + 54 + 1 + 1 + 9 + 1 + 1);
  expect(lines[1]).toEqual(['get_activities', 'core', 'starter', 'public']);
  expect(lines[3]).toEqual(['get_stats', 'core', 'starter', 'public, globally disabled']);
  expect(lines).toContainEqual(['admin_add_user', 'admin', 'administrators, owners']);
  expect(lines).toContainEqual(['admin_set_plan', 'admin', 'administrators']);
  expect(lines).toContainEqual(['core', '5 of 6']);
  expect(lines.at(-1)).toEqual(['Globally disabled: get_stats']);
});

test('effective lists the decision about each tool with its source', () => {
  run('tenant', 'set-plan', 'acme', 'starter');
  const lines = table(run('effective', 'acme'));
  expect(lines[0]).toEqual(['Tenant acme, plan starter']);
  expect(lines).toContainEqual([
    'suggest_rest_day',
    'off',
    'plan',
    'The tool needs the plan professional, and the tenant has starter.',
  ]);
  expect(lines).toContainEqual(['sleep', '0 of 5']);
  expect(lines.at(-1)).toEqual(['Overrides: none']);
  // It decides nothing, because the plan has not the tool, and is listed all the same.
  run('override', 'set', 'acme', 'suggest_rest_day', 'on', '--reason', 'Trial until May');
  expect(table(run('effective', 'acme')).slice(-2)).toEqual([
    ['OVERRIDE', 'STATE', 'SET BY', 'SET AT', 'REASON'],
    ['suggest_rest_day', 'on', 'command line', '2026-11-18T09:00:00.000Z', 'Trial until May'],
  ]);
});

test.each([
  [
    ['user'],
    /^Unknown command "user"\. Use one of:\n  user add <user> \[--tenant <tenant>\] \[--role user\|member\|owner\|admin\]$/,
  ],
  [
    ['token', 'isue', 'x'],
    /^Unknown command "token isue"\. Use one of:\n  token issue .*\n  token revoke <prefix>$/,
  ],
  [['nonsense'], /^Unknown command "nonsense"\. Use one of:\n  user add [^]*\n  effective <tenant>$/],
  [['user', 'add'], /^Missing argument <user>\.\nUsage: user add <user> /],
  [['effective', 'a', 'b'], /^Unexpected argument "b"\.\nUsage: effective <tenant>$/],
  [['user', 'add', 'mia', '--tenants', 'x'], /^Unknown option '--tenants'[^]*\nUsage: user add/],
  [
    ['token', 'issue', 'mia', '--days', 'ten'],
    /^Invalid value "ten" of --days: use a whole number, such as 30\.$/,
  ],
  [['override', 'set', 'acme', 'set_goal', 'on'], /^Missing option --reason/],
  [['override', 'set', 'acme', 'set_goal', 'yes', '--reason', 'x'], /^Unknown state "yes": use on, off\.$/],
  [['effective', 'acme'], /^Unknown tenant "acme": there are no tenants yet\. Setting a plan creates one\.$/],
])('%j is rejected with the choices', (args, message) => {
  expect(() => run(...args)).toThrow(message);
  expect(() => run(...args)).toThrow(expect.objectContaining({ name: 'AccountError' }));
});

test('the arguments of the server itself are not a command', () => {
  expect(isAdminCommand([])).toBe(false);
  expect(isAdminCommand(['--http'])).toBe(false);
  expect(isAdminCommand(['token', 'nonsense'])).toBe(true);
  expect(ADMIN_USAGE.split('\n')).toHaveLength(8);
});
