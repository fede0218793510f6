import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { apiKeys } from 'toolwright/auth';
import { serveHttp } from 'toolwright/http';
import { serveStdio } from 'toolwright/stdio';
import { serveBudgetApi } from '@toolwright/ynab-api';
import { BudgetApi } from './api/budget-api.ts';
import { DOCUMENT_PATH } from './api/document.ts';
import { createBudgetServer } from './server.ts';
import { readSettings } from './settings/settings.ts';
import type { Settings } from './settings/settings.ts';
import { addUser, readUsers } from './settings/users.ts';

const REAL_API = 'https://api.ynab.com/v1';

/** The token of the embedded API. It is not a secret: the API is reachable only from this machine, and has sample data. */
const DEMO_TOKEN = 'demonstration-access-token';

const DEFAULT_PORT = 3001;

const HELP = `Serves YNAB budgets to MCP clients, over standard input and output.

Usage: npm run ynab -- [options]

  --http             Serve over HTTP instead, on 127.0.0.1.
  --port <port>      Port of --http. Default: ${DEFAULT_PORT}; 0 for a free port.
  --users <file>     With --http: the file of users. Requests need the key of a user.
  --add-user <id>    Add a user with YNAB_ACCESS_TOKEN to the file of --users, print the key, and exit.
  --data <file>      Database of the embedded API. Default: .data/budgets.db
  --help             Show this text.

Without YNAB_ACCESS_TOKEN, the server uses an embedded API with sample budgets.
servers/ynab/README.md lists all variables.`;

const OPEN_TOKEN =
  'Every program on this machine can use YNAB_ACCESS_TOKEN at this address. With --users, requests need a key.';

interface Arguments {
  readonly http: boolean;
  readonly port: number;
  readonly users: string | undefined;
  readonly addUser: string | undefined;
  readonly data: string;
  readonly help: boolean;
}

function readArguments(): Arguments {
  const { values } = parseArgs({
    options: {
      http: { type: 'boolean', default: false },
      port: { type: 'string' },
      users: { type: 'string' },
      'add-user': { type: 'string' },
      data: { type: 'string', default: '.data/budgets.db' },
      help: { type: 'boolean', default: false },
    },
  });
  const { port: givenPort = String(DEFAULT_PORT) } = values;
  const port = Number(givenPort);
  if (!/^\d+$/.test(givenPort) || port > 65_535) {
    throw new Error(`--port must be an integer from 0 to 65535; received "${givenPort}".`);
  }
  if (values.port !== undefined && !values.http) {
    throw new Error('--port needs --http: over standard input and output there is no port.');
  }
  if (values.users !== undefined && !values.http && values['add-user'] === undefined) {
    throw new Error('--users needs --http: over standard input and output there is only one user.');
  }
  return { ...values, port, users: values.users, addUser: values['add-user'] };
}

async function main(): Promise<void> {
  const given = readArguments();
  if (given.help) {
    console.log(HELP);
    return;
  }
  const settings = readSettings(process.env);
  if (given.addUser !== undefined) {
    printNewUser(given.addUser, given.users, settings);
    return;
  }
  await serve(given, settings);
}

function printNewUser(id: string, file: string | undefined, { accessToken }: Settings): void {
  if (file === undefined) throw new Error('--add-user needs --users <file>.');
  if (accessToken === undefined)
    throw new Error('--add-user needs YNAB_ACCESS_TOKEN, the token of the new user.');
  const key = addUser(file, { id, ynabToken: accessToken });
  console.log(
    `The key of ${id}, which is shown only now:\n\n  ${key}\n\nSend it as: Authorization: Bearer <key>`,
  );
}

async function serve(given: Arguments, settings: Settings): Promise<void> {
  const users = given.users === undefined ? undefined : readUsers(given.users);
  const isEmbedded = settings.accessToken === undefined && users === undefined;
  const embedded = isEmbedded ? await startEmbedded(given.data) : undefined;
  const token = settings.accessToken ?? DEMO_TOKEN;
  const api = await BudgetApi.load({ document: DOCUMENT_PATH, baseUrl: embedded?.url ?? REAL_API });
  const server = createBudgetServer({
    settings,
    api,
    tokenOf: users === undefined ? () => token : ({ principal }) => users.tokenOf(principal?.id ?? ''),
  });
  const close = async (): Promise<void> => {
    await server.close();
    api.close();
    await embedded?.close();
  };
  if (!given.http) {
    await serveStdio(server).closed;
    await close();
    return;
  }
  const { port } = given;
  const auth =
    users === undefined
      ? {}
      : { auth: { verify: apiKeys(users.keys), resource: `http://127.0.0.1:${port}/mcp` } };
  // An open embedded API would keep the process running.
  const running = await serveHttp(server, { port, ...auth }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  console.log(
    `YNAB budgets are served at ${running.url}${isEmbedded ? ', with sample data' : ''}. Stop with Ctrl+C.`,
  );
  if (!isEmbedded && users === undefined) console.log(OPEN_TOKEN);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void running.close().then(close));
  }
}

async function startEmbedded(file: string): Promise<{ readonly url: string; close(): Promise<void> }> {
  const path = resolve(file);
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch (cause) {
    throw new Error(`The folder of --data ${path} cannot be created: choose another path.`, { cause });
  }
  return serveBudgetApi({ file: path, tokens: [DEMO_TOKEN] });
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
