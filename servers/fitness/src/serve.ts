import type { ToolwrightServer } from 'toolwright';
import { serveHttp } from 'toolwright/http';
import { sqliteStores } from 'toolwright/sqlite';
import { serveStdio } from 'toolwright/stdio';
import { createHttpAuth } from './accounts/http-auth.ts';
import { findStanding } from './accounts/standings.ts';
import type { FitnessContext } from './context.ts';
import type { Database } from './database/database.ts';
import { openDatabaseFile } from './database/open-database-file.ts';
import { closeProviders, openProviders } from './providers/providers.ts';
import { createFitnessServer } from './server.ts';
import type { Arguments } from './settings/arguments.ts';
import type { Settings } from './settings/settings.ts';

type Server = ToolwrightServer<FitnessContext>;

/** Serves until the client has disconnected, or a signal has arrived. */
export async function serve(given: Arguments, settings: Settings): Promise<void> {
  // Before the first output, because its reader may send a signal immediately.
  const signalled = untilSignal();
  const closers: (() => unknown)[] = [];
  try {
    const database = openDatabaseFile(settings.databaseFile);
    closers.push(() => database.close());
    // In the same file: calls are counted across restarts, and together by processes that share it.
    const stores = sqliteStores(settings.databaseFile);
    closers.push(() => stores.close());
    assertUser(database, settings.user);
    const providers = await openProviders({ settings, database, now: () => Date.now() });
    closers.push(() => closeProviders(providers));
    const fitness = createFitnessServer({ settings, database, rateLimits: stores.rateLimits, providers });
    closers.push(() => fitness.close());
    if (given.http) await serveOverHttp(fitness.server, { given, database, signalled });
    else await serveOverStdio(fitness.server, { user: settings.user, signalled });
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}

/** A name that is not a user would silently be an account without data. */
function assertUser(database: Database, user: string | undefined): void {
  if (user === undefined || database.read(() => findStanding(database, user)) !== undefined) return;
  throw new Error(
    `FITNESS_USER is "${user}", who is not a user of this database. Add the user: npm run fitness -- user add ${user}`,
  );
}

async function serveOverStdio(
  server: Server,
  { user, signalled }: { readonly user: string | undefined; readonly signalled: Promise<void> },
): Promise<void> {
  const running = serveStdio(server, user === undefined ? {} : { principal: { id: user } });
  await Promise.race([running.closed, signalled]);
  await running.close();
}

async function serveOverHttp(
  server: Server,
  {
    given,
    database,
    signalled,
  }: { readonly given: Arguments; readonly database: Database; readonly signalled: Promise<void> },
): Promise<void> {
  const { host, port, allowHost, publicUrl } = given;
  const running = await serveHttp(server, {
    host,
    port,
    ...(allowHost.length === 0 ? {} : { allowedHosts: [...allowHost] }),
    auth: createHttpAuth(database, publicUrl),
  });
  console.log(
    `Training data are served at ${running.url}. Without a token, callers get the demonstration athlete. Stop with Ctrl+C.`,
  );
  await signalled;
  await running.close();
}

function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}
