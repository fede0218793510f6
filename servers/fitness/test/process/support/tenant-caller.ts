import { callTool } from '../../support/clients.ts';
import type { OfficialClient } from '../../support/clients.ts';

/** A caller of the load test. Everything that it writes has its mark, and the mark of its tenant. */
export interface TenantCaller {
  readonly tenant: string;
  readonly user: string;
  readonly isOwner: boolean;
  readonly client: OfficialClient;
}

/** Responses to the calls of one caller. */
export interface Tally {
  sent: number;
  succeeded: number;
  limited: number;
  /** Rows of the caller that results had. */
  rows: number;
  /** Everything that must not happen. */
  readonly faults: string[];
}

/** Marks of users: `mark-2-7` is the eighth user of the third tenant. */
const MARK = /mark-\d-\d/g;

type Call = readonly [tool: string, args: Readonly<Record<string, unknown>>];

/** The calls of a caller, in turns. */
function toCalls({ user, tenant, isOwner }: TenantCaller): readonly ((turn: number) => Call)[] {
  const configuration_name = user;
  return [
    (turn) => [
      'save_recipe',
      {
        name: `${user} ${turn}`,
        servings: 1,
        ingredients: [{ name: '09003', amount: 1, unit: 'piece' }],
        instructions: [`For ${user}`],
        tags: [user],
      },
    ],
    () => ['list_recipes', { limit: 5 }],
    (turn) => ['set_fitness_config', { configuration_name, configuration: { ftp: 200 + (turn % 100) } }],
    () => ['list_fitness_configs', {}],
    () => ['search_recipes', { query: 'mark' }],
    () => ['get_connection_status', {}],
    () => ['get_athlete', {}],
    ...(isOwner
      ? [
          (turn: number): Call => [
            'admin_set_override',
            { tenant, tool: 'get_stats', enabled: turn % 2 === 0, reason: `${user} ${turn}` },
          ],
          (): Call => ['admin_get_effective_tools', { tenant, tool: 'get_stats' }],
        ]
      : []),
  ];
}

/** Calls one tool after the other until the time is over. Rejects if a response is lost. */
export async function callUntil(
  caller: TenantCaller,
  isOver: (caller: TenantCaller, tally: Tally) => boolean,
): Promise<Tally> {
  const tally: Tally = { sent: 0, succeeded: 0, limited: 0, rows: 0, faults: [] };
  const calls = toCalls(caller);
  for (let turn = 0; !isOver(caller, tally); turn += 1) {
    const call = calls[turn % calls.length]?.(turn) ?? ['get_athlete', {}];
    tally.sent += 1;
    const { text, isError } = await callTool(caller.client, ...call);
    const foreign = (text.match(MARK) ?? []).filter((mark) => mark !== caller.user);
    if (foreign.length > 0) tally.faults.push(`${caller.user} got ${foreign[0]} from ${call[0]}`);
    tally.rows += text.match(MARK)?.length ?? 0;
    if (!isError) tally.succeeded += 1;
    else if (text.startsWith(`The tenant ${caller.tenant} has `)) tally.limited += 1;
    else tally.faults.push(`${call[0]}: ${text}`);
  }
  return tally;
}
