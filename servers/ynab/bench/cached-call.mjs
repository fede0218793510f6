/**
 * Cost of a call from the warm cache, against a tool with the same settings that returns the same text: every tool that returns cached data. Both run
 * interleaved in one process. Ends with exit code 1 if a call costs more than 3 times the bare one. Run `npm run build` in the root first.
 *
 *   node servers/ynab/bench/cached-call.mjs [rounds] [calls per round]
 */
import { serveBudgetApi } from '@toolwright/ynab-api';
import { createServer, silentLogger, ToolRegistry } from 'toolwright';
import { systemClock } from 'toolwright/collaborators';
import * as z from 'zod';
import { BudgetApi } from '../dist/api/budget-api.js';
import { DOCUMENT_PATH } from '../dist/api/document.js';
import { BudgetErrorHandler } from '../dist/collaborators/budget-error-handler.js';
import { BudgetFormatter } from '../dist/collaborators/budget-formatter.js';
import { withBudgets } from '../dist/collaborators/security.js';
import { createBudgetServer } from '../dist/server.js';
import { readSettings } from '../dist/settings/settings.js';

const [rounds = 30, calls = 100] = process.argv.slice(2).map(Number);
const TOKEN = 'token-of-the-benchmark';
/** A minute passes between rounds, so that the limit of calls per minute is not reached. */
let passedMs = 0;
const clock = {
  ...systemClock,
  now: () => systemClock.now() + passedMs,
  wallTime: () => Date.now() + passedMs,
};

const served = await serveBudgetApi({ file: ':memory:', tokens: [TOKEN] });
const api = await BudgetApi.load({ document: DOCUMENT_PATH, baseUrl: served.url });
const server = createBudgetServer({
  settings: readSettings({ YNAB_MCP_CACHE_DEFAULT_TTL_MS: '86400000' }),
  api,
  tokenOf: () => TOKEN,
  logger: silentLogger,
  clock,
});
const MAX_RATIO = 3;
/** Rounds that are not counted: they compile. */
const WARM_UP = 10;
const read = async (name, args = {}) => {
  const result = await server.tools.executeTool({ name, arguments: { ...args, response_format: 'json' } });
  return JSON.parse(result.content[0].text);
};
const [{ id: budget_id }] = (await read('list_budgets')).budgets;
const first = async (kind, index = 0) =>
  (await read(`list_${kind}`, { budget_id, limit: 50 }))[kind][index].id;

/** Every tool that returns cached data, with its arguments. */
const READS = {
  list_budgets: {},
  get_budget: { budget_id },
  list_accounts: { budget_id },
  get_account: { budget_id, account_id: await first('accounts') },
  list_transactions: { budget_id },
  get_transaction: { budget_id, transaction_id: await first('transactions') },
  list_categories: { budget_id },
  get_category: { budget_id, category_id: await first('categories', 20) },
  list_payees: { budget_id },
  get_payee: { budget_id, payee_id: await first('payees') },
  list_months: { budget_id },
  get_month: { budget_id, month: `${new Date().toISOString().slice(0, 8)}01` },
  list_scheduled_transactions: { budget_id },
  get_scheduled_transaction: { budget_id, scheduled_transaction_id: await first('scheduled_transactions') },
  get_user: {},
};

for (const [name, args] of Object.entries(READS)) {
  for (const response_format of ['markdown', 'json']) await compare(name, { ...args, response_format });
}
await server.close();
api.close();
await served.close();

async function compare(name, args) {
  const warm = await server.tools.executeTool({ name, arguments: args });
  if (warm.isError === true) throw new Error(warm.content[0].text);
  const bare = createBare(warm.content[0].text);
  const samples = { cached: [], bare: [] };
  for (let round = -WARM_UP; round < rounds; round += 1) {
    if (round === 0) for (const list of Object.values(samples)) list.length = 0;
    samples.cached.push(await timeOf(server.tools, name, args));
    samples.bare.push(await timeOf(bare, 'bare', { budget_id, response_format: args.response_format }));
    passedMs += 60_000;
  }
  const cached = median(samples.cached);
  const floor = median(samples.bare);
  const ratio = cached / floor;
  if (ratio > MAX_RATIO) process.exitCode = 1;
  console.log(
    `${name} ${args.response_format}: ${cached.toFixed(1)} µs of CPU per call, bare tool ${floor.toFixed(1)} µs, ratio ${ratio.toFixed(2)}`,
  );
}

/** A server with the collaborators of the budget server, and one tool that returns a text. */
function createBare(text) {
  const tools = new ToolRegistry({ name: 'bare', unknownArguments: 'reject' });
  tools.register({
    name: 'bare',
    title: 'Bare',
    description: 'Returns a text.',
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: true },
    resolvedArguments: ['budget_id'],
    defaultArgumentResolver: async () => ({}),
    inputSchema: z.object({
      budget_id: z.string().min(1),
      limit: z.int().min(1).max(500).default(50),
      offset: z.int().min(0).default(0),
      response_format: z.enum(['markdown', 'json']).default('markdown'),
    }),
    handler: async () => text,
  });
  return createServer({
    name: 'bare',
    version: '1.0.0',
    clock,
    logger: silentLogger,
    errorHandler: new BudgetErrorHandler({ logger: silentLogger }),
    responseFormatter: new BudgetFormatter({ minify: true, prettySpaces: 2 }),
    withSecurityWrapper: withBudgets(() => undefined, { logger: silentLogger, clock }),
    createContext: () => ({}),
    tools,
  }).tools;
}

/** Microseconds of CPU per call. */
async function timeOf(registry, name, args) {
  const start = process.cpuUsage();
  for (let call = 0; call < calls; call += 1) {
    const result = await registry.executeTool({ name, arguments: args });
    if (result.isError === true) throw new Error(result.content[0].text);
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / calls;
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
