import { createLogger, createServer, ToolError, ToolRegistry } from 'toolwright';
import type { Logger, ToolCall, ToolwrightServer } from 'toolwright';
import { systemClock } from 'toolwright/collaborators';
import type { Clock, SecureCall } from 'toolwright/collaborators';
import type { BudgetApi } from './api/budget-api.ts';
import { BudgetErrorHandler } from './collaborators/budget-error-handler.ts';
import { BudgetFormatter } from './collaborators/budget-formatter.ts';
import { withBudgets } from './collaborators/security.ts';
import { callerParts } from './caller-parts.ts';
import type { BudgetContext } from './context.ts';
import { Callers } from './data/caller.ts';
import { dateOf, wallTimeOf } from './data/dates.ts';
import { createPrompts } from './prompts.ts';
import { createResources } from './resources.ts';
import type { Settings } from './settings/settings.ts';
import { createTools } from './tools/all-tools.ts';

export const VERSION = '0.1.0';

/** Options of {@link createBudgetServer}. */
export interface BudgetServerOptions {
  readonly settings: Settings;
  readonly api: BudgetApi;
  /** The access token of the budget API for a call. Callers with the same token share their cache and settings. */
  readonly tokenOf: (call: ToolCall) => string | undefined;
  readonly clock?: Clock;
  readonly logger?: Logger;
}

/** A statement of 10 MB in an argument, with the escapes of JSON. */
const MAX_MESSAGE_BYTES = 12 * 1024 * 1024;

const INSTRUCTIONS = `Budgets of YNAB. Amounts are in currency units, with the exact milliunits beside them; outflows are negative.
Start with list_budgets, or omit budget_id to use the default budget. Changes return a preview first; confirm them with the user.`;

/** Creates the budget server: tools, prompts and resources over one API. */
export function createBudgetServer(options: BudgetServerOptions): ToolwrightServer<BudgetContext> {
  const { settings, api, tokenOf, clock = systemClock } = options;
  const logger = options.logger ?? createLogger({ level: settings.logLevel });
  const wallTime = (): number => wallTimeOf(clock);
  const formatter = new BudgetFormatter({
    minify: settings.minifyOutput,
    prettySpaces: settings.prettySpaces,
  });
  const resources = createResources();

  const today = dateOf(clock);
  const createParts = callerParts({ settings, api, clock, formatter, resources, today });
  const callers = new Callers(
    { minify: settings.minifyOutput, prettySpaces: settings.prettySpaces },
    createParts,
  );
  const createContext = (call: ToolCall): BudgetContext => {
    const token = tokenOf(call);
    if (token === undefined) throw new ToolError('This call has no access token of YNAB.');
    return callers.of(token);
  };

  const partsOf = ({ tool, principal, accessToken }: SecureCall): BudgetContext | undefined => {
    const token = tokenOf({ name: tool, principal, accessToken });
    return token === undefined ? undefined : callers.of(token);
  };

  const tools = new ToolRegistry<BudgetContext>({ name: 'ynab', unknownArguments: 'reject' });
  const diagnosed = { version: VERSION, startedAt: wallTime(), now: wallTime, settings, api };
  tools.registerAll(createTools(diagnosed));
  return createServer({
    name: 'ynab',
    version: VERSION,
    title: 'YNAB budgets',
    instructions: INSTRUCTIONS,
    clock,
    limits: { maxMessageBytes: MAX_MESSAGE_BYTES },
    logger,
    errorHandler: new BudgetErrorHandler({ logger }),
    responseFormatter: formatter,
    withSecurityWrapper: withBudgets(partsOf, { logger, clock }),
    createContext,
    tools,
    prompts: createPrompts(),
    resources,
  });
}
