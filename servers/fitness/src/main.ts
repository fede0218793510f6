import { fileURLToPath } from 'node:url';
import { COMMAND_LINE } from './accounts/actor.ts';
import { Administration } from './accounts/administration.ts';
import { openDatabaseFile } from './database/open-database-file.ts';
import { ADMIN_USAGE, isAdminCommand, runAdminCommand } from './gate/admin-commands.ts';
import { serve } from './serve.ts';
import { readArguments } from './settings/arguments.ts';
import { toClientConfig } from './settings/print-client-config.ts';
import { readSettings } from './settings/settings.ts';
import type { Settings } from './settings/settings.ts';

const HELP = `Serves training data to MCP clients, over standard input and output: activities, load, sleep, nutrition and recipes.
Without settings, it serves a demonstration athlete.

Usage: npm run fitness -- [options]
       npm run fitness -- <command>

  --http                 Serve over HTTP instead, on 127.0.0.1. Tokens of users are sent as: Authorization: Bearer <token>
  --port <port>          Port of --http. Default: 3003; 0 for a free port.
  --host <address>       Address of --http.
  --allow-host <host>    With --host: an allowed Host header. Can be repeated.
  --public-url <url>     With --http: the address of the server as clients know it. Default: http://<host>:<port>/mcp
  --print-client-config <client>
                         Print how to add the server to a client, and exit.
  --help                 Show this text.

Commands, which change or show the database, also while the server runs:

${ADMIN_USAGE}

FITNESS_USER is the caller over standard input and output. servers/fitness/README.md lists all variables.`;

async function main(args: readonly string[]): Promise<void> {
  if (isAdminCommand(args)) return administrate(args);
  const given = readArguments(args);
  if (given.help) return console.log(HELP);
  const settings = readSettings(process.env);
  if (given.client === undefined) return serve(given, settings);
  const { where, text } = toClientConfig({
    client: given.client,
    main: fileURLToPath(import.meta.url),
    given,
    settings,
    environment: process.env,
  });
  console.error(where);
  console.log(text);
}

function administrate(args: readonly string[]): void {
  const { databaseFile, disabledTools }: Settings = readSettings(process.env);
  const database = openDatabaseFile(databaseFile);
  try {
    // A running server polls for changes.
    const options = { now: () => Date.now(), disabledTools, onChange: () => {} };
    console.log(runAdminCommand(new Administration(database, options), COMMAND_LINE, args));
  } finally {
    database.close();
  }
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
