/**
 * Cost of a call from the warm cache: `list_accounts` against a tool with the same settings and the same input schema that returns the same text.
 * Both run interleaved in one process. Run `npm run build` here and in the root first.
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

const [rounds = 60, calls = 100] = process.argv.slice(2).map(Number);
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
const budgets = await server.tools.executeTool({
  name: 'list_budgets',
  arguments: { response_format: 'json' },
});
const [{ id: budget_id }] = JSON.parse(budgets.content[0].text).budgets;

for (const response_format of ['markdown', 'json']) {
  const args = { budget_id, response_format };
  const warm = await server.tools.executeTool({ name: 'list_accounts', arguments: args });
  await compare(response_format, args, warm.content[0].text);
}
await server.close();
api.close();
await served.close();

async function compare(title, args, text) {
  const bare = createBare(text);
  const samples = { cached: [], bare: [] };
  for (let round = 0; round < rounds; round += 1) {
    samples.cached.push(await timeOf(server.tools, args));
    samples.bare.push(await timeOf(bare, args));
    passedMs += 60_000;
  }
  const cached = median(samples.cached);
  const floor = median(samples.bare);
  const ratio = (cached / floor).toFixed(2);
  console.log(
    `${title}: list_accounts ${cached.toFixed(1)} µs of CPU per call, bare tool ${floor.toFixed(1)} µs, ratio ${ratio}`,
  );
}

/** A server with the collaborators of the budget server, and one tool that returns a text. */
function createBare(text) {
  const tools = new ToolRegistry({ name: 'bare', unknownArguments: 'reject' });
  tools.register({
    name: 'list_accounts',
    title: 'List accounts',
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
async function timeOf(registry, args) {
  const start = process.cpuUsage();
  for (let call = 0; call < calls; call += 1) {
    const result = await registry.executeTool({ name: 'list_accounts', arguments: args });
    if (result.isError === true) throw new Error(result.content[0].text);
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / calls;
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
