import { silentLogger } from 'toolwright';
import type { Logger, Principal } from 'toolwright';
import { serveHttp } from 'toolwright/http';
import { sqliteStores } from 'toolwright/sqlite';
import { COMMAND_LINE } from '../../src/accounts/actor.ts';
import { createHttpAuth } from '../../src/accounts/http-auth.ts';
import { openDatabase } from '../../src/database/database.ts';
import type { Database } from '../../src/database/database.ts';
import { closeProviders, openProviders } from '../../src/providers/providers.ts';
import type { ProvidersOptions } from '../../src/providers/providers.ts';
import { createFitnessServer } from '../../src/server.ts';
import type { FitnessServer } from '../../src/server.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { FakeClock } from '../../../../test/support/fake-clock.ts';
import { connectHttp, connectMemory } from './clients.ts';
import type { OfficialClient, Opening } from './clients.ts';

/** The time of all tests, a Wednesday. */
export const NOW: number = Date.parse('2026-11-18T12:00:00Z');

/** The callers of a stack: a user without a tenant, a member of each plan, the owner of the second tenant, and an administrator. */
export const CALLERS = [
  'anonymous',
  'user',
  'starter',
  'professional',
  'enterprise',
  'owner',
  'admin',
] as const;
export type CallerName = (typeof CALLERS)[number];

export const TRANSPORTS = ['memory', 'http'] as const;
export type Transport = (typeof TRANSPORTS)[number];

export interface Connecting extends Partial<Opening> {
  /** Default: `user`. */
  readonly caller?: CallerName;
  /** Default: `memory`. */
  readonly transport?: Transport;
}

export interface StackOptions {
  /** Variables of the server. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Default: in memory. */
  readonly databaseFile?: string;
  readonly strava?: ProvidersOptions['strava'];
  readonly logger?: Logger;
}

/** A fitness server in this process, with users of every role, at the time {@link NOW}. */
export interface Stack extends FitnessServer {
  readonly database: Database;
  readonly clock: FakeClock;
  /** Address of the server over HTTP, which is served from the first call on. */
  url(): Promise<string>;
  /** An official client. It is closed with the stack. */
  connect(connecting?: Connecting): Promise<OfficialClient>;
}

export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const { environment = {}, databaseFile = ':memory:', strava, logger = silentLogger } = options;
  const clock = new FakeClock();
  clock.advance(NOW - clock.now());
  const settings = readSettings(environment);
  const database = openDatabase(databaseFile);
  const now = (): number => clock.now();
  const providers = await openProviders({ settings, database, now, ...(strava && { strava }) });
  const stores = sqliteStores(databaseFile, { clock });
  const { rateLimits } = stores;
  const fitness = createFitnessServer({ settings, database, rateLimits, providers, clock, logger });
  const tokens = addCallers(fitness);
  let http: ReturnType<typeof serveHttp> | undefined;
  const clients: OfficialClient[] = [];
  const url = async (): Promise<string> => {
    const auth = createHttpAuth(database, 'http://127.0.0.1/mcp');
    return (await (http ??= serveHttp(fitness.server, { port: 0, auth }))).url;
  };
  return {
    ...fitness,
    database,
    clock,
    url,
    connect: async ({ caller = 'user', transport = 'memory', ...opening } = {}) => {
      const wanted = { version: 'v2', ...opening } as const;
      const client =
        transport === 'memory'
          ? await connectMemory(wanted, fitness.server, principalOf(caller))
          : await connectHttp(wanted, await url(), tokens.get(caller));
      clients.push(client);
      return client;
    },
    close: async () => {
      for (const client of clients) await client.close();
      await (await http)?.close();
      await fitness.close();
      await closeProviders(providers);
      stores.close();
      database.close();
    },
  };
}

function principalOf(caller: CallerName): Principal | undefined {
  return caller === 'anonymous' ? undefined : { id: caller };
}

/** Adds the users, whose ids are the names of the callers, and returns their tokens. */
function addCallers({ administration }: FitnessServer): ReadonlyMap<CallerName, string> {
  const plans = ['starter', 'professional', 'enterprise'] as const;
  for (const plan of plans) administration.setPlan(COMMAND_LINE, { tenant: `${plan}-team`, plan });
  const users = [
    { user: 'user' },
    ...plans.map((plan) => ({ user: plan, tenant: `${plan}-team` })),
    { user: 'owner', role: 'owner', tenant: 'professional-team' },
    { user: 'admin', role: 'admin' },
  ] as const;
  return new Map(
    users.map((user) => {
      administration.addUser(COMMAND_LINE, user);
      return [user.user, administration.issueToken(COMMAND_LINE, { user: user.user }).token];
    }),
  );
}
