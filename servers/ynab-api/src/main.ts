import { parseArgs } from 'node:util';
import { serveBudgetApi } from './http/serve.ts';

const USAGE =
  'Usage: node dist/main.js [--port 8090] [--host 127.0.0.1] [--file budgets.db] [--token <token>]…';

/** The flags of the command line. Throws an error with the flag and the fix. */
function parseFlags(): { port: number; host: string; file: string; tokens: string[] } {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '8090' },
      host: { type: 'string', default: '127.0.0.1' },
      file: { type: 'string', default: 'budgets.db' },
      token: { type: 'string', multiple: true, default: [] },
    },
  });
  const port = Number(values.port);
  if (!/^\d{1,5}$/.test(values.port) || port > 65_535)
    throw new Error(`Invalid --port "${values.port}": use an integer from 0 (any free port) to 65535.`);
  if (values.file === '') throw new Error('Invalid --file "": use the path of a SQLite file.');
  return { port, host: values.host, file: values.file, tokens: values.token };
}

async function main(): Promise<void> {
  const { port, host, file, tokens } = parseFlags();
  const anyToken = tokens.length === 0;
  const served = await serveBudgetApi({ port, host, file, tokens, anyToken });
  const [token = 'any-token'] = tokens;
  console.log(`YNAB API at ${served.url}, data in ${file}.`);
  if (anyToken) console.log('Any token is accepted; each token is a user with budgets of its own.');
  console.log(`Try: curl -H "Authorization: Bearer ${token}" ${served.url}/plans`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      void served.close();
    });
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  console.error(USAGE);
  process.exitCode = 1;
}
