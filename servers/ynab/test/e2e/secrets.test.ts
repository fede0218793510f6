import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from 'toolwright';
import { expect, test } from 'vitest';
import { BAD_CALLS } from '../support/bad-calls.ts';
import { callTool, connectHttp, serveWithTokens } from '../support/clients.ts';
import { GOOD_CALLS } from '../support/good-calls.ts';
import { HOUSEHOLD } from '../support/sample.ts';
import { startStack, TOKEN } from '../support/stack.ts';

const digest = createHash('sha256').update(TOKEN);
const DIGESTS = [digest.copy().digest('hex'), digest.copy().digest('base64'), digest.digest('base64url')];

/** The access token and its digests, the latter from their first 16 characters on. */
const CANARIES = [TOKEN, Buffer.from(TOKEN).toString('base64'), ...DIGESTS.map((text) => text.slice(0, 16))];

/** Fails if a text contains a canary. */
function expectClean(texts: readonly string[]): void {
  expect(texts.length).toBeGreaterThan(0);
  const leaking = texts.filter((text) => CANARIES.some((canary) => text.includes(canary)));
  expect(leaking).toEqual([]);
}

type StackOptions = NonNullable<Parameters<typeof startStack>[0]>;

/** Sends these calls and reads over HTTP, and returns all results, errors and lines of the log. */
async function record(
  calls: readonly { readonly tool: string; readonly args: Readonly<Record<string, unknown>> }[],
  options: StackOptions & { readonly token?: string } = {},
): Promise<{ readonly results: readonly string[]; readonly log: readonly string[] }> {
  const [results, log]: [string[], string[]] = [[], []];
  const stack = await startStack({
    ...options,
    environment: { YNAB_DEFAULT_BUDGET_ID: HOUSEHOLD, ...options.environment },
    logger: createLogger({ level: 'debug', write: (line) => log.push(line) }),
  });
  const served = await serveWithTokens(stack.server);
  const client = await connectHttp('v2', served.url, options.token ?? TOKEN);
  for (const { tool, args } of calls) results.push((await callTool(client, tool, args)).text);
  for (const uri of ['ynab://budgets', 'ynab://user', `ynab://budgets/${HOUSEHOLD}/months`]) {
    const read = client.readResource({ uri }).then((found) => JSON.stringify(found), readError);
    results.push(await read);
  }
  await client.close();
  await served.close();
  await stack.close();
  return { results, log };
}

function readError(error: unknown): string {
  const { message, data } = error as { message?: string; data?: unknown };
  return `${message} ${JSON.stringify(data)}`;
}

/** Without 503, after which a read is sent again. */
const STATUSES = [400, 401, 404, 429, 500];

/** An API that fails with each status in turn, and repeats the credentials of the request. */
async function serveEcho(): Promise<{ readonly url: string; close(): void }> {
  let requests = 0;
  const server = createServer(({ headers }, response) => {
    const status = STATUSES[requests++ % STATUSES.length] ?? 500;
    const error = { id: String(status), name: 'echo', detail: `You sent ${headers.authorization}` };
    const sent = { 'content-type': 'application/json', 'x-echo': headers.authorization ?? '' };
    response.writeHead(status, sent).end(JSON.stringify({ error }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, close: () => server.close() };
}

test('no result, error or log line has the access token or its digest', { timeout: 120_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'budget-secrets-'));
  const environment = { YNAB_EXPORT_PATH: folder };
  const { results, log } = await record([...GOOD_CALLS, ...BAD_CALLS], { environment });
  rmSync(folder, { recursive: true, force: true });
  expectClean(results);
  expectClean(log);
});

test('diagnostic_info masks the token', async () => {
  const calls = [{ tool: 'diagnostic_info', args: { response_format: 'json' } }];
  const { results } = await record(calls);
  const { environment } = JSON.parse(results[0] ?? '') as { environment: { accessToken: string } };
  expect(environment.accessToken).toBe('to…da (12 characters)');
});

const READ = [
  { tool: 'list_accounts', args: {} },
  { tool: 'get_user', args: {} },
];

test('an API that repeats the token does not reveal it', async () => {
  const echo = await serveEcho();
  const calls = STATUSES.flatMap(() => READ);
  const { results, log } = await record(calls, { between: () => echo.url });
  echo.close();
  const text = results.join('\n');
  for (const status of STATUSES) expect(text).toContain(`(${status} echo: You sent [redacted])`);
  expectClean(results);
  expectClean(log);
});

test('an API that cannot be reached does not reveal the token', async () => {
  const { results, log } = await record(READ, { between: () => 'http://127.0.0.1:9/v1' });
  expectClean(results);
  expectClean(log);
});

test('the request limit does not reveal the token', async () => {
  const { results, log } = await record([...READ, ...READ], { requestsPerHour: 1 });
  expect(results.join('\n')).toMatch(/limit/);
  expectClean(results);
  expectClean(log);
});

test('an unknown token is named as the cause, but not repeated', async () => {
  const token = 'unknown-token-canary';
  const { results, log } = await record(READ, { token });
  expect(results[0]).toContain('The access token is invalid, expired or revoked.');
  expect([...results, ...log].filter((text) => text.includes(token))).toEqual([]);
});
