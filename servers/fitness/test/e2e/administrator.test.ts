import { afterAll, expect, test } from 'vitest';
import { startStack } from '../support/stack.ts';
import { expectGolden, Transcript } from '../support/transcript.ts';

const stack = await startStack({ environment: { FITNESS_DISABLED_TOOLS: 'get_nutrient_timing' } });
afterAll(() => stack.close());

const TENANT = 'professional-team';
const TOKEN = /fit_[\da-f]{16}(_[\w-]{43})?/g;

test('an administrator: a new tenant with an owner, a token, overrides that decide and one that does not, and mistakes', async () => {
  const admin = new Transcript(await stack.connect({ caller: 'admin', version: 'v2', transport: 'http' }));
  const member = new Transcript(await stack.connect({ caller: 'professional', version: 'v1' }));
  await admin.call('admin_get_catalog', { category: 'nutrition', format: 'toon' });
  await admin.call('admin_set_plan', { tenant: 'harbour', plan: 'starter' });
  await admin.call('admin_add_user', { user: 'olga', tenant: 'harbour', role: 'owner' });
  await admin.call('admin_add_user', { user: 'olga', tenant: 'harbour' });
  await admin.call('admin_issue_token', { user: 'olga', valid_days: 90 });
  await admin.call('admin_get_effective_tools', { tenant: TENANT, category: 'sleep', format: 'toon' });
  await admin.call('admin_set_override', {
    tenant: TENANT,
    tool: 'suggest_rest_day',
    enabled: false,
    reason: 'Coaches decide about rest',
  });
  await member.call('suggest_rest_day', {});
  await admin.call('admin_set_override', {
    tenant: TENANT,
    tool: 'predict_performance',
    enabled: true,
    reason: 'Trial until the city marathon',
  });
  await admin.call('admin_get_effective_tools', { tenant: TENANT, tool: 'predict_performance' });
  await admin.call('admin_set_plan', { tenant: TENANT, plan: 'enterprise' });
  await admin.call('admin_get_effective_tools', { tenant: TENANT, tool: 'predict_performance' });
  await admin.call('admin_remove_override', { tenant: TENANT, tool: 'suggest_rest_day' });
  await admin.call('admin_remove_override', { tenant: TENANT, tool: 'suggest_rest_day' });
  await admin.call('admin_set_override', {
    tenant: 'harbor',
    tool: 'get_stats',
    enabled: false,
    reason: 'Typo in the tenant',
  });
  await admin.call('admin_set_override', { tenant: TENANT, tool: 'admin_add_user', enabled: true });
  await admin.call('admin_get_effective_tools', { tenant: TENANT, category: 'nutrition', format: 'toon' });
  expect([admin.count, member.count]).toEqual([16, 1]);
  const text = `${admin.toString()}\n# A member of ${TENANT}, after the first override\n\n${member.toString()}`;
  expectGolden(text.replaceAll(TOKEN, 'fit_<token>'), new URL('administrator.golden.txt', import.meta.url));
});
