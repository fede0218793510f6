import { estimateTokens } from 'toolwright';
import { afterAll, expect, test } from 'vitest';
import { BudgetApi } from '../../src/api/budget-api.ts';
import { DOCUMENT_PATH } from '../../src/api/document.ts';
import { createBudgetServer } from '../../src/server.ts';
import { readSettings } from '../../src/settings/settings.ts';

const api = await BudgetApi.load({ document: DOCUMENT_PATH, baseUrl: 'http://127.0.0.1:9' });
afterAll(() => api.close());

/** Maximum tokens of `tools/list`, in the estimate of Toolwright. Measured: 10,746 / 6,669 / 8,117 / 407 / 407 / 6,669. */
const BUDGETS = [
  { name: 'flat, full profile', environment: {}, exposure: 'flat', tokens: 11_000 },
  {
    name: 'flat, core profile',
    environment: { YNAB_MCP_TOOL_PROFILE: 'core' },
    exposure: 'flat',
    tokens: 7000,
  },
  { name: 'grouped by category', environment: {}, exposure: 'grouped', tokens: 8500 },
  { name: 'search', environment: {}, exposure: 'search', tokens: 600 },
  { name: 'auto', environment: {}, exposure: 'auto', tokens: 600 },
  {
    name: 'auto, core profile',
    environment: { YNAB_MCP_TOOL_PROFILE: 'core' },
    exposure: 'auto',
    tokens: 7000,
  },
] as const;

test.each(BUDGETS)('tools/list fits into its budget: $name', async ({ environment, exposure, tokens }) => {
  const server = createBudgetServer({ settings: readSettings(environment), api, tokenOf: () => 'token' });
  const tools = server.tools?.surface({ exposure, groupBy: 'category' }).listTools() ?? [];
  const used = estimateTokens(JSON.stringify(tools));
  expect(tools.length).toBeGreaterThan(2);
  expect(used).toBeLessThanOrEqual(tokens);
  // A budget that is far above the need would not notice growth.
  expect(used).toBeGreaterThan(tokens * 0.6);
  await server.close();
});
